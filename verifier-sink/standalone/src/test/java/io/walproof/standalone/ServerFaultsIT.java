package io.walproof.standalone;

import static io.walproof.verifier.model.IncompleteReason.CONFIRMATION_FAILED;
import static io.walproof.verifier.model.IncompleteReason.REPLAY_NOT_CONFIRMED;
import static io.walproof.verifier.model.IncompleteReason.SOURCE_READ_FAILED;
import static io.walproof.verifier.model.IncompleteReason.TABLE_TIMEOUT;
import static io.walproof.verifier.model.IncompleteReason.TARGET_READ_FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.model.IncompleteReason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers are killed, or stand still for longer than any read may take, and so does Walproof: the
 * run goes on when they are back, and no verdict is wrong (invariants A and B).
 */
class ServerFaultsIT {

  private static final IncompleteReason[] EXPLAINED = {
    SOURCE_READ_FAILED, TARGET_READ_FAILED, REPLAY_NOT_CONFIRMED, TABLE_TIMEOUT
  };

  /** Longer than each wait that is set for it. */
  private static final Duration STILL = Duration.ofSeconds(4);

  @TempDir Path directory;

  private static List<PostgresServer> servers() throws Exception {
    return List.of(JoinedPair.get().source(), JoinedPair.get().target());
  }

  @Test
  void aServerThatIsKilledIsWaitedFor() throws Exception {
    KnownVerdicts verdicts = KnownVerdicts.create("dead", directory);
    try (SpawnedRun run = verdicts.operated().spawn().awaitStarted()) {
      verdicts.requireWorking(run);
      for (PostgresServer server : servers()) {
        verdicts.write(20);
        server.kill();
        server.start();
        verdicts.requireWorking(run);
      }
      verdicts.awaitAllDecided(run);
      verdicts.stop(run);
    }
    verdicts.requireTrue(EXPLAINED);
    verdicts.operated().forget();
  }

  @Test
  void aServerThatStandsStillLeavesKeysUnjudgedAndNobodyAccused() throws Exception {
    KnownVerdicts verdicts = KnownVerdicts.create("still", directory);
    verdicts
        .operated()
        .with("verify.read.timeout.ms", "500")
        .with("verify.replay.timeout.ms", "2000");
    try (SpawnedRun run = verdicts.operated().spawn().awaitStarted()) {
      verdicts.requireWorking(run);
      for (PostgresServer server : servers()) {
        long before = verdicts.unjudged();
        verdicts.write(20);
        server.freeze();
        Time.system().sleep(STILL);
        server.thaw();
        verdicts.awaitAllDecided(run);
        assertThat(verdicts.unjudged()).isGreaterThan(before);
        JoinedPair.get().awaitApplied();
        verdicts.requireWorking(run);
      }
      verdicts.stop(run);
    }
    verdicts.requireTrue(EXPLAINED);
    verdicts.operated().forget();
  }

  /** The source has given it up meanwhile and ended its stream. */
  @Test
  void aRunThatStoodStillGoesOnWhereItWas() throws Exception {
    KnownVerdicts verdicts = KnownVerdicts.create("still_run", directory);
    JoinedPair.get()
        .onSource(
            "CREATE ROLE impatient LOGIN SUPERUSER REPLICATION",
            "ALTER ROLE impatient SET wal_sender_timeout = '1s'");
    verdicts.operated().with("database.user", "impatient");
    verdicts.operated().with("status.update.interval.ms", "200");
    try (SpawnedRun run = verdicts.operated().spawn().awaitStarted()) {
      verdicts.requireWorking(run);
      verdicts.write(20);
      run.signal("STOP");
      verdicts.write(20);
      Operated.until(
          "the source to end the stream",
          () ->
              "0"
                  .equals(
                      verdicts
                          .operated()
                          .askSource(
                              "SELECT count(*) FROM pg_stat_replication WHERE usename ="
                                  + " 'impatient'")));
      run.signal("CONT");
      verdicts.requireWorking(run);
      verdicts.awaitAllDecided(run);
      verdicts.stop(run);
    }
    verdicts.requireTrue(CONFIRMATION_FAILED, REPLAY_NOT_CONFIRMED);
    verdicts.operated().forget();
    JoinedPair.get().onSource("DROP ROLE impatient");
  }
}
