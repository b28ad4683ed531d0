package io.walproof.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresServerIT {

  @ParameterizedTest
  @ValueSource(ints = {16, 17, 18})
  void everyMajorStartsDurableAndLogical(int major) throws Exception {
    Path data;
    try (PostgresServer server = PostgresServer.start(major)) {
      data = server.dataDirectory();
      assertThat(show(server, "server_version_num")).startsWith(Integer.toString(major));
      assertThat(show(server, "fsync")).isEqualTo("on");
      assertThat(show(server, "synchronous_commit")).isEqualTo("on");
      assertThat(show(server, "wal_level")).isEqualTo("logical");
      assertThat(show(server, "listen_addresses")).isEqualTo("127.0.0.1");
    }
    assertThat(data).doesNotExist();
  }

  @Test
  void aRestartKeepsPortAndData() throws Exception {
    try (PostgresServer server = PostgresServer.start(18)) {
      server.execute("postgres", "CREATE TABLE t (id int)", "INSERT INTO t VALUES (7)");
      int port = server.port();
      server.stop();
      server.start();
      assertThat(server.port()).isEqualTo(port);
      try (Connection connection = server.connect("postgres");
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT id FROM t")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(7);
      }
    }
  }

  @Test
  void aMissingMajorIsNamed() {
    assertThatThrownBy(() -> PostgresServer.start(9))
        .rootCause()
        .hasMessageContaining("PostgreSQL 9");
  }

  private static String show(PostgresServer server, String setting) throws Exception {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW " + setting)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
