package io.walproof.standalone.preflight;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.contract.finding.Check;
import io.walproof.contract.finding.Finding;
import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.replay.ConfirmationException;
import io.walproof.verifier.replay.ConfirmationStrategy;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.replay.ReplayConfirmation.Emission;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import io.walproof.verifier.replay.ReplayConfirmations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Confirms replay once, as a recheck does, and tells how long that took. */
final class ReplayFindings {

  private static final Duration LONGEST_TRIAL = Duration.ofSeconds(20);

  private final VerifierSettings settings;
  private final Time time;
  private final List<Finding> findings = new ArrayList<>();

  ReplayFindings(VerifierSettings settings, Time time) {
    this.settings = settings;
    this.time = time;
  }

  List<Finding> of(Database source, Database target, List<TableId> tables) {
    Cancellation never = new Cancellation();
    try (ReplayConfirmation confirmation =
        ReplayConfirmations.create(settings.confirmation(), source, target, time, never)) {
      if (settings.confirmation().strategy() == ConfirmationStrategy.NONE) {
        findings.add(
            Finding.warning(
                Check.REPLAY,
                "verify.replay.confirmation=none: both sides are compared as they stand. Right only"
                    + " while no applier is running"));
      } else {
        tryOnce(confirmation, Set.copyOf(tables), never);
      }
    } catch (ConfirmationException e) {
      findings.add(Finding.failure(Check.REPLAY, e.getMessage()));
    }
    return findings;
  }

  private void tryOnce(ReplayConfirmation confirmation, Set<TableId> tables, Cancellation never) {
    Duration limit = settings.limits().replayTimeout();
    limit = limit.compareTo(LONGEST_TRIAL) < 0 ? limit : LONGEST_TRIAL;
    Deadline deadline = Deadline.in(time, limit);
    long began = time.nanoTime();
    Emission emission = confirmation.emit(deadline, never);
    if (emission instanceof Emission.Failed failed) {
      findings.add(Finding.failure(Check.REPLAY, failed.detail()));
      return;
    }
    Result result =
        confirmation.await(((Emission.Emitted) emission).boundary(), tables, deadline, never);
    Duration took = Duration.ofNanos(time.nanoTime() - began);
    if (result instanceof Result.NotConfirmed not) {
      findings.add(
          Finding.failure(
              Check.REPLAY,
              confirmation.strategy()
                  + ": the target has not passed a marker within "
                  + limit.toMillis()
                  + " ms: "
                  + not.detail()
                  + ". Start the applier, or see what holds it up"));
      return;
    }
    Set<TableId> notReplicated = ((Result.Confirmed) result).notReplicated();
    findings.add(
        Finding.ok(
            Check.REPLAY,
            confirmation.strategy()
                + ": the target passed a marker after "
                + took.toMillis()
                + " ms"));
    if (!notReplicated.isEmpty()) {
      findings.add(
          Finding.failure(
              Check.REPLAY,
              "the applier does not carry, or is still copying, "
                  + notReplicated.stream().map(TableId::toString).sorted().toList()
                  + "; add the tables to what it replicates, or leave them out with"
                  + " table.exclude.list"));
    }
    if (took.compareTo(settings.limits().settle()) > 0) {
      findings.add(
          Finding.warning(
              Check.REPLAY,
              "the target is behind by more than verify.settle.ms="
                  + settings.limits().settle().toMillis()
                  + ": most changes will be put on hold for a recheck. Raise it"));
    }
  }
}
