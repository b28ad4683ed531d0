package io.walproof.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class ReplicatedPairIT {

  @Test
  void whatIsWrittenArrivesUnlessTheApplierIsPaused() throws Exception {
    try (ReplicatedPair pair = ReplicatedPair.start(18)) {
      pair.onBoth("CREATE TABLE t (id int PRIMARY KEY)");
      pair.onSource("INSERT INTO t VALUES (1)");
      pair.join();
      assertThat(count(pair)).isEqualTo(1);
      pair.onSource("INSERT INTO t VALUES (2)");
      pair.awaitApplied();
      assertThat(count(pair)).isEqualTo(2);
      pair.pauseApplier();
      pair.onSource("INSERT INTO t VALUES (3)");
      assertThat(count(pair)).isEqualTo(2);
      pair.resumeApplier();
      pair.awaitApplied();
      assertThat(count(pair)).isEqualTo(3);
      pair.onBoth("CREATE TABLE late (id int PRIMARY KEY)");
      pair.onSource("INSERT INTO late VALUES (1)");
      pair.refresh();
      assertThat(count(pair.target(), "late")).isEqualTo(1);
    }
  }

  private static long count(ReplicatedPair pair) throws Exception {
    return count(pair.target(), "t");
  }

  private static long count(PostgresServer server, String table) throws Exception {
    try (Connection connection = server.connect(ReplicatedPair.DATABASE);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
