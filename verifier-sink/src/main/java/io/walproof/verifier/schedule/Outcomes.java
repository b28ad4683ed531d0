package io.walproof.verifier.schedule;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.range.RangeResult;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and tells how checks ended, and records those that never read anything. Thread-safe. */
final class Outcomes {

  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);

  private final Time time;
  private final RangeWork work;
  private final RangeFigures figures;

  Outcomes(Time time, RangeWork work, RangeFigures figures) {
    this.time = time;
    this.work = work;
    this.figures = figures;
  }

  /** A check that recorded itself. */
  void ended(RangeResult result) {
    figures.ended(result, time.now());
    String text = result.detail().map(detail -> ": " + detail).orElse("");
    switch (result.outcome()) {
      case PROVED ->
          LOG.info("{}: range check proved {} rows", result.table(), result.progress().rows());
      case FAILED ->
          LOG.error(
              "{}: range check failed, {} rows are missing or wrong{}",
              result.table(),
              result.keys().failures(),
              text);
      case INCOMPLETE, SKIPPED ->
          LOG.warn("{}: range check {}{}", result.table(), result.outcome().text(), text);
    }
  }

  /**
   * A check that read nothing.
   *
   * @throws io.walproof.verifier.audit.AuditException if that cannot be recorded
   */
  void unread(RangeResult result) {
    work.record(result.toRecord());
    figures.ended(result, time.now());
  }

  /** The same, which stays open. */
  void incomplete(Claim claim, String reason, String detail) {
    unread(
        RangeResult.unread(
            claim,
            RangeOutcome.INCOMPLETE,
            Optional.of(reason),
            Optional.of(detail),
            Duration.ZERO));
  }

  /** The same, because of a failure. */
  void failed(Claim claim, String reason, RuntimeException why) {
    incomplete(claim, reason, "the check could not begin or go on: " + why.getMessage());
  }

  /**
   * All tables are looked at, which makes up for a look that was given up.
   *
   * @param tables that are to be checked
   * @throws io.walproof.verifier.audit.AuditException if that cannot be recorded
   */
  void began(Trigger ofAll, Set<TableId> tables) {
    if (figures.allGivenUp().isPresent()) {
      work.record(new AuditEntry.RangesStart(ofAll.reason().text(), tables.size()));
    }
    figures.began(tables);
  }

  /**
   * No attempt to begin succeeded.
   *
   * @throws io.walproof.verifier.audit.AuditException if that cannot be recorded
   */
  void gaveUp(Trigger trigger, RuntimeException why) {
    LOG.error("Range checks ({}) are given up: {}", trigger, why.getMessage());
    if (trigger.table().isPresent()) {
      figures.gaveUp();
      failed(Claim.whole(trigger.table().get()), "not_begun", why);
      return;
    }
    String detail =
        "the range checks of all tables ("
            + trigger.reason().text()
            + ") were given up, no table was looked at: "
            + why.getMessage();
    work.record(
        AuditEntry.RangeEnd.unread(
            Optional.empty(), RangeOutcome.INCOMPLETE.text(), Optional.of(detail)));
    figures.gaveUpAll(detail);
  }
}
