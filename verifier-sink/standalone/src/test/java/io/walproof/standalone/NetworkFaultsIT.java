package io.walproof.standalone;

import static io.walproof.verifier.model.IncompleteReason.REPLAY_NOT_CONFIRMED;
import static io.walproof.verifier.model.IncompleteReason.SOURCE_READ_FAILED;
import static io.walproof.verifier.model.IncompleteReason.TABLE_TIMEOUT;
import static io.walproof.verifier.model.IncompleteReason.TARGET_READ_FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.embedded.TcpLink;
import io.walproof.verifier.model.IncompleteReason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The network between Walproof and both servers fails in every way that it can. */
class NetworkFaultsIT {

  private static final IncompleteReason[] EXPLAINED = {
    SOURCE_READ_FAILED, TARGET_READ_FAILED, REPLAY_NOT_CONFIRMED, TABLE_TIMEOUT
  };

  @TempDir Path directory;

  private static KnownVerdicts over(KnownVerdicts verdicts, TcpLink source, TcpLink target) {
    verdicts
        .operated()
        .with("database.port", Integer.toString(source.port()))
        .with(
            "verify.target.jdbc.url",
            "jdbc:postgresql://127.0.0.1:" + target.port() + "/" + ReplicatedPair.DATABASE);
    return verdicts;
  }

  @Test
  void aSlowNetworkTakesLongerAndChangesNoVerdict() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    try (TcpLink source = TcpLink.to(pair.source().port(), 60_000, Time.system());
        TcpLink target = TcpLink.to(pair.target().port(), 60_000, Time.system())) {
      KnownVerdicts verdicts = over(KnownVerdicts.create("slow", directory), source, target);
      try (SpawnedRun run = verdicts.operated().spawn().awaitStarted()) {
        verdicts.write(300);
        verdicts.requireWorking(run);
        verdicts.awaitAllDecided(run);
        verdicts.stop(run);
      }
      verdicts.requireTrue();
      verdicts.operated().forget();
    }
  }

  /** Cut off for a while; then what lies between forgets every connection and tells neither end. */
  @Test
  void aCutIsWaitedForAndHalfOpenConnectionsAreNoticed() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    pair.onSource(
        "CREATE ROLE forgotten LOGIN SUPERUSER REPLICATION",
        "ALTER ROLE forgotten SET wal_sender_timeout = '1s'");
    try (TcpLink source = TcpLink.to(pair.source().port(), Time.system());
        TcpLink target = TcpLink.to(pair.target().port(), Time.system())) {
      KnownVerdicts verdicts = over(KnownVerdicts.create("network", directory), source, target);
      verdicts
          .operated()
          .with("database.user", "forgotten")
          .with("status.update.interval.ms", "200")
          .with("drift.catalog.interval.ms", "300")
          .with("drift.start.timeout.ms", "10000")
          .with("verify.connect.timeout.ms", "500")
          .with("verify.read.timeout.ms", "1000");
      try (SpawnedRun run = verdicts.operated().spawn().awaitStarted()) {
        verdicts.requireWorking(run);
        verdicts.write(20);
        source.cut();
        target.cut();
        verdicts.write(20);
        Time.system().sleep(Duration.ofSeconds(2));
        source.mend();
        target.mend();
        verdicts.requireWorking(run);
        verdicts.write(20);
        source.forget();
        target.forget();
        verdicts.requireWorking(run);
        assertThat(run.err()).contains("the network did not say so");
        verdicts.awaitAllDecided(run);
        verdicts.stop(run);
      }
      verdicts.requireTrue(EXPLAINED);
      source.cut();
      verdicts.operated().forget();
    }
    Operated.until("the role to be free", () -> dropped("forgotten"));
  }

  private static boolean dropped(String role) throws Exception {
    JoinedPair.get()
        .onSource(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + role + "'",
            "DROP ROLE " + role);
    return true;
  }

  /** Names are resolved anew for each connection, and for a while nobody knows them. */
  @Test
  void namesThatAreGoneForAWhileAreWaitedForAndForGoodEndTheRun() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    KnownVerdicts verdicts = KnownVerdicts.create("nameless", directory);
    Operated operated = verdicts.operated();
    Path hosts = directory.resolve("hosts");
    String known = "127.0.0.1 source.test target.test\n";
    Files.writeString(hosts, known);
    operated
        .with("database.hostname", "source.test")
        .with(
            "verify.target.jdbc.url",
            operated.settings.get("verify.target.jdbc.url").replace("127.0.0.1", "target.test"))
        .with("verify.connect.timeout.ms", "500")
        .with("errors.max.retries", "6");
    List<String> jvm =
        List.of(
            "-Djdk.net.hosts.file=" + hosts,
            "-Dsun.net.inetaddr.ttl=0",
            "-Dsun.net.inetaddr.negative.ttl=0");
    try (SpawnedRun run =
        SpawnedRun.start(directory, jvm, "run", operated.config(), List.of()).awaitStarted()) {
      verdicts.requireWorking(run);
      Files.writeString(hosts, "127.0.0.1 other.test\n");
      disconnect(pair);
      verdicts.write(20);
      Operated.until("an attempt in vain", () -> run.err().contains("Going to restart connector"));
      Files.writeString(hosts, known);
      verdicts.requireWorking(run);
      verdicts.awaitAllDecided(run);
      verdicts.requireTrue(EXPLAINED);

      Files.writeString(hosts, "127.0.0.1 other.test\n");
      disconnect(pair);
      Operated.Outcome end = run.awaitEnd(Operated.PATIENCE);
      assertThat(end.status()).as(end.err()).isEqualTo(ExitStatus.ERROR.code());
      assertThat(end.err()).contains("source.test").contains("errors.max.retries");
      operated.assertNoSecret(end.out(), end.err());
    }
    operated.forget();
  }

  private static void disconnect(ReplicatedPair pair) throws Exception {
    pair.onBoth(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            + " AND (application_name LIKE 'walproof%' OR application_name LIKE 'Debezium%')");
  }
}
