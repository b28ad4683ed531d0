package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditType;
import io.walproof.verifier.model.IncompleteReason;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * A table whose every change arrives, and one of which the target loses every row: whatever befalls
 * the servers or the run meanwhile, the first may never be accused, and each key of the second must
 * be reported, or named as not judged with a reason that the fault explains.
 */
final class KnownVerdicts {

  private static final String MISSING = "unresolved_missing";
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final String arriving;
  private final String lost;
  private final Operated operated;
  private int written;

  private KnownVerdicts(Operated operated, String arriving, String lost) {
    this.operated = operated;
    this.arriving = arriving;
    this.lost = lost;
  }

  /** Creates both tables; slot and publication have the name too. */
  static KnownVerdicts create(String name, java.nio.file.Path directory) throws Exception {
    String arriving = name + "_arriving";
    String lost = name + "_lost";
    JoinedPair.healthy(arriving);
    JoinedPair.lossy(lost);
    Operated operated =
        new Operated(JoinedPair.get(), directory, name, "public\\." + name + "_.*")
            .with("verify.replay.timeout.ms", "20000")
            .with("retriable.restart.connector.wait.ms", "500")
            // A server may take its time to come back on a busy machine.
            .with("errors.max.retries", "100");
    return new KnownVerdicts(operated, arriving, lost);
  }

  Operated operated() {
    return operated;
  }

  /** So many new rows in both tables, each with its own number. */
  void write(int rows) throws SQLException {
    String sql = "INSERT INTO public.%s SELECT i, 'x' FROM generate_series(%d, %d) AS i";
    int from = written + 1;
    written += rows;
    operated.pair.onSource(
        sql.formatted(arriving, from, written), sql.formatted(lost, from, written));
  }

  /** Writes rows and waits until each one that was lost is reported: the run works. */
  void requireWorking(SpawnedRun run) throws Exception {
    int from = written + 1;
    write(10);
    Set<String> wanted = ids(from, written);
    Awaitility.await("the rows " + from + " to " + written + " to be reported")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .failFast("the run ended: " + run.err(), () -> !run.isAlive())
        .until(() -> decided(MISSING).containsAll(wanted));
  }

  /** Waits until every row written so far has a decision. */
  void awaitAllDecided(SpawnedRun run) throws Exception {
    Awaitility.await("a decision on every row that was lost")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .failFast("the run ended: " + run.err(), () -> !run.isAlive())
        .until(() -> decided("").containsAll(ids(1, written)));
  }

  /** How many keys have ended as not judged. */
  long unjudged() {
    return decisions().stream()
        .filter(record -> record.outcome().orElseThrow().equals("incomplete"))
        .count();
  }

  /**
   * Nothing was lost, nothing passed wrongly, nobody was accused wrongly.
   *
   * @param explained why keys may have been left unjudged
   */
  void requireTrue(IncompleteReason... explained) {
    Set<String> reasons =
        Arrays.stream(explained).map(IncompleteReason::text).collect(Collectors.toSet());
    for (AuditRecord decision : decisions()) {
      String outcome = decision.outcome().orElseThrow();
      if (outcome.equals("incomplete")) {
        assertThat(reasons).as(decision.text()).contains(decision.reason().orElseThrow());
      } else if (table(decision).equals(lost)) {
        assertThat(outcome).as(decision.text()).isEqualTo(MISSING);
      } else {
        assertThat(outcome).as(decision.text()).doesNotStartWith("unresolved");
      }
    }
    assertThat(decided("")).containsAll(ids(1, written));
    assertThat(
            operated.audit().stream()
                .filter(record -> record.type() == AuditType.DRIFT)
                .map(record -> record.json().path("kind").asText()))
        .containsOnly("initial");
    Operated.Outcome check =
        Operated.command("audit", "check", "--state-dir", operated.state.toString());
    assertThat(check.status()).as(check.out() + check.err()).isZero();
  }

  /** Ends the run in order; it has failures to tell. */
  void stop(SpawnedRun run) throws Exception {
    run.signal("TERM");
    Operated.Outcome end = run.awaitEnd(PATIENCE);
    assertThat(end.status()).as(end.err()).isEqualTo(ExitStatus.FAILURES.code());
    operated.assertNoSecret(end.out(), end.err());
  }

  /** Keys of the table that loses them, decided so, or anyhow. */
  private Set<String> decided(String outcome) {
    return decisions().stream()
        .filter(record -> table(record).equals(lost))
        .filter(record -> outcome.isEmpty() || record.outcome().orElseThrow().equals(outcome))
        .map(record -> record.json().path("key").path("id").asText())
        .collect(Collectors.toCollection(HashSet::new));
  }

  private List<AuditRecord> decisions() {
    return operated.audit().stream().filter(record -> record.type() == AuditType.DECISION).toList();
  }

  private static String table(AuditRecord record) {
    return record.table().orElseThrow().name();
  }

  private static Set<String> ids(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(Integer::toString).collect(Collectors.toSet());
  }
}
