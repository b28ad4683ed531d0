package io.walproof.standalone.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.standalone.WrittenAudit;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakJudgeTest {

  private static final long ORDER = 1_000_000;
  private static final Verdict DIFFERENT = new Verdict.Unresolved(Kind.DIFFERENT);
  private static final Verdict MISSING = new Verdict.Unresolved(Kind.MISSING);

  @TempDir Path dir;

  private final SoakJudge judge = new SoakJudge();
  private WrittenAudit audit;

  @BeforeEach
  void open() {
    audit = new WrittenAudit(dir);
  }

  @AfterEach
  void close() {
    audit.close();
  }

  private Instant after(long seconds) {
    return audit.pass(Duration.ofSeconds(seconds)).now();
  }

  private void decided(TableId table, long id, Verdict verdict) {
    audit.append(WrittenAudit.decided(table, Long.toString(id), verdict));
  }

  private void decided(long id, Verdict verdict) {
    decided(WrittenAudit.ORDERS, id, verdict);
  }

  /** Shows the judge everything that was written. */
  private void judge() {
    audit.records().forEach(judge::accept);
  }

  @Test
  void aFaultIsFoundByItsVerdictAlone() {
    judge.injected(ORDER, SoakFault.LOST_INSERT, audit.now());
    after(7);
    decided(ORDER, new Verdict.Converged());
    decided(ORDER, MISSING);
    judge();
    assertThat(judge.found())
        .containsExactly(new SoakJudge.Found(ORDER, SoakFault.LOST_INSERT, Duration.ofSeconds(7)));
    assertThat(judge.missing()).isEmpty();
    assertThat(judge.wrong()).isEmpty();
  }

  @Test
  void anotherKindIsAMissAndAFalseReport() {
    judge.injected(ORDER, SoakFault.LOST_INSERT, audit.now());
    decided(ORDER, DIFFERENT);
    judge();
    assertThat(judge.missing()).containsOnlyKeys(ORDER);
    assertThat(judge.wrong()).hasSize(1);
  }

  @Test
  void whatWasNotInjectedIsFalse() {
    decided(7, MISSING);
    decided(new TableId("public", "stock"), ORDER, MISSING);
    judge();
    assertThat(judge.wrong()).hasSize(2);
  }

  @Test
  void aVerdictFromBeforeTheFaultFindsNothing() {
    Instant before = audit.now();
    decided(ORDER, DIFFERENT);
    judge.injected(ORDER, SoakFault.ALTERED_VALUE, before.plusSeconds(1));
    judge();
    assertThat(judge.missing()).containsOnlyKeys(ORDER);
  }

  @Test
  void aMendedRowMayBeReportedForAWhileOnly() {
    judge.injected(ORDER, SoakFault.TAMPERED_ROW, audit.now());
    decided(ORDER, DIFFERENT);
    judge.mended(ORDER, audit.now());
    after(119);
    decided(ORDER, new Verdict.Unresolved(Kind.TARGET_STALLED));
    judge();
    assertThat(judge.found()).hasSize(1);
    assertThat(judge.wrong()).isEmpty();
    after(2);
    decided(ORDER, DIFFERENT);
    judge.accept(audit.records().get(audit.records().size() - 1));
    assertThat(judge.wrong()).hasSize(1);
  }

  @Test
  void whatMovedIsToBeLookedAtAgain() {
    judge.injected(ORDER, SoakFault.LOST_UPDATE, audit.now());
    decided(ORDER, new Verdict.Advanced());
    decided(5, new Verdict.Advanced());
    judge();
    assertThat(judge.takeMoved()).containsExactly(ORDER);
    assertThat(judge.takeMoved()).isEmpty();
    assertThat(judge.missing()).containsOnlyKeys(ORDER);
  }

  @Test
  void onlyAHotRowAndTheEndMayLeaveKeysUnjudged() {
    decided(1, new Verdict.Incomplete(IncompleteReason.SOURCE_UNSTABLE));
    decided(2, new Verdict.Incomplete(IncompleteReason.CANCELLED));
    decided(3, new Verdict.Incomplete(IncompleteReason.REPLAY_NOT_CONFIRMED));
    judge();
    assertThat(judge.unjudged()).hasSize(1);
  }
}
