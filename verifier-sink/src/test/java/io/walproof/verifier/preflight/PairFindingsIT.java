package io.walproof.verifier.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.contract.Time;
import io.walproof.contract.finding.Check;
import io.walproof.contract.finding.Finding;
import io.walproof.contract.finding.Grade;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What lies between the servers and us. */
class PairFindingsIT {

  private static PostgresServer server;

  @BeforeAll
  static void start() throws Exception {
    server = PostgresServer.builder().start();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  /** The machine's clocks, of which the one on the wall is wrong. */
  private record WrongClock(Duration by) implements Time {
    @Override
    public long nanoTime() {
      return Time.system().nanoTime();
    }

    @Override
    public Instant now() {
      return Time.system().now().plus(by);
    }

    @Override
    public void waitOn(Object monitor, Duration atMost) throws InterruptedException {
      Time.system().waitOn(monitor, atMost);
    }
  }

  private static List<Finding> find(Time time, int port, Check check) {
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?sslmode=disable";
    try (Database source = open(Side.SOURCE, url, time);
        Database target = open(Side.TARGET, url, time)) {
      return new PairFindings(time)
          .of(source, target, Deadline.never(time)).stream()
              .filter(found -> found.check() == check)
              .toList();
    }
  }

  private static Database open(Side side, String url, Time time) {
    return Databases.open(DatabaseSettings.of(side, url, PostgresServer.SUPERUSER, ""), time);
  }

  @Test
  void aClockThatIsWrongEitherWayIsTold() {
    for (int minutes : new int[] {-5, 5}) {
      List<Finding> found =
          find(new WrongClock(Duration.ofMinutes(minutes)), server.port(), Check.CLOCKS);
      assertThat(found).hasSize(2).allMatch(finding -> finding.grade() == Grade.WARNING);
      assertThat(found.get(0).text()).contains("the source's clock").contains("NTP");
    }
    assertThat(find(Time.system(), server.port(), Check.CLOCKS))
        .hasSize(2)
        .allMatch(finding -> finding.grade() == Grade.OK);
  }

  @Test
  void aPoolerIsTold() throws Exception {
    try (ForgedGreeting pooler = new ForgedGreeting(server.port())) {
      assertThat(find(Time.system(), pooler.port(), Check.POOLER))
          .hasSize(2)
          .allMatch(finding -> finding.grade() == Grade.WARNING)
          .allMatch(finding -> finding.text().contains("Connect to the server itself"));
    }
    assertThat(find(Time.system(), server.port(), Check.POOLER))
        .allMatch(finding -> finding.grade() == Grade.OK);
  }

  /** Who may not see what others wait for must take every open transaction for such a wait. */
  @Test
  void aRoleThatDoesNotSeeWhatWaitsForAStandbyIsTold() throws Exception {
    server.execute("postgres", "CREATE ROLE seen_plain LOGIN");
    String url = server.jdbcUrl("postgres");
    assertThat(synchronous(url, "seen_plain")).isEqualTo(Grade.OK);
    server.execute("postgres", "ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    server.execute("postgres", "SELECT pg_catalog.pg_reload_conf()");
    try {
      await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> synchronous(url, "seen_plain") == Grade.WARNING);
      assertThat(synchronous(url, PostgresServer.SUPERUSER)).isEqualTo(Grade.OK);
    } finally {
      server.execute("postgres", "ALTER SYSTEM RESET synchronous_standby_names");
      server.execute("postgres", "SELECT pg_catalog.pg_reload_conf()");
    }
  }

  private static Grade synchronous(String url, String user) {
    Time time = Time.system();
    try (Database source = Databases.open(DatabaseSettings.of(Side.SOURCE, url, user, ""), time);
        Database target = open(Side.TARGET, url, time)) {
      Finding found =
          new PairFindings(time)
              .of(source, target, Deadline.never(time)).stream()
                  .filter(finding -> finding.check() == Check.SYNCHRONOUS)
                  .findFirst()
                  .orElseThrow();
      if (found.grade() != Grade.OK) {
        assertThat(found.text()).contains("GRANT pg_read_all_stats TO \"" + user + "\"");
      }
      return found.grade();
    }
  }
}
