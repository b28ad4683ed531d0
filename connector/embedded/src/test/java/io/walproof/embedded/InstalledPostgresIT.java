package io.walproof.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class InstalledPostgresIT {

  @Test
  void aServerIsAgedToTheEndOfItsTransactionIdsAndGoesOn() throws Exception {
    Optional<InstalledPostgres> installed = InstalledPostgres.find();
    Assumptions.assumeTrue(
        installed.isPresent(), "no PostgreSQL is installed: a wraparound is not tried");
    try (PostgresServer server = installed.get().server().start()) {
      server.execute("postgres", "CREATE TABLE t (id int)", "INSERT INTO t VALUES (0)");
      long edge = 1L << 32;
      installed.get().age(server, edge - 3);
      try (Connection connection = server.connect("postgres");
          Statement statement = connection.createStatement()) {
        for (int i = 1; i <= 5; i++) {
          statement.execute("INSERT INTO t VALUES (" + i + ")");
        }
        try (ResultSet rows =
            statement.executeQuery(
                "SELECT count(*), bool_or(xmin::text = '4294967295'), bool_or(xmin::text = '3'),"
                    + " pg_snapshot_xmax(pg_current_snapshot())::text FROM t")) {
          rows.next();
          assertThat(rows.getInt(1)).isEqualTo(6);
          assertThat(rows.getBoolean(2)).as("a row from just before").isTrue();
          assertThat(rows.getBoolean(3)).as("a row from just after").isTrue();
          assertThat(rows.getLong(4)).isGreaterThan(edge);
        }
      }
    }
  }
}
