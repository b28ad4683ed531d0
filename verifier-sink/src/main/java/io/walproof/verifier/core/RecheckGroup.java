package io.walproof.verifier.core;

import io.walproof.contract.Lsn;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.core.Recorder.Ended;
import io.walproof.verifier.decide.Evidence;
import io.walproof.verifier.decide.Judgement;
import io.walproof.verifier.decide.KeyDecision;
import io.walproof.verifier.decide.Versions;
import io.walproof.verifier.defer.Deferred;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.HeldCommits.Doubt;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.VersionGap;
import io.walproof.verifier.model.VisibleTransactions;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RowAccess.BatchRead;
import io.walproof.verifier.row.RowAccess.Opening;
import io.walproof.verifier.row.TablePlan;
import io.walproof.verifier.versions.VersionBook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * One table's mismatches in one recheck round: their reads, what stands in the way of judging each,
 * and their decisions. Confined to the recheck worker.
 */
final class RecheckGroup {

  /** What stands in the way of judging a key. */
  private record Obstacle(IncompleteReason reason, String detail) {}

  private final List<Deferred> members;
  private final Obstacle[] obstacles;
  private final KeyRead[] sourceBefore;
  private final KeyRead[] target;
  private final KeyRead[] sourceAfter;
  private final Time time;
  private final VerifierLimits limits;
  private final Versions[] versions;
  private Optional<VisibleTransactions> seenBefore = Optional.empty();
  private HeldCommits heldBefore = HeldCommits.NONE;
  private TablePlan plan;
  private Duration used = Duration.ZERO;

  RecheckGroup(List<Deferred> members, Time time, VerifierLimits limits) {
    this.members = List.copyOf(members);
    this.obstacles = new Obstacle[members.size()];
    this.sourceBefore = new KeyRead[members.size()];
    this.target = new KeyRead[members.size()];
    this.sourceAfter = new KeyRead[members.size()];
    this.versions = new Versions[members.size()];
    Arrays.fill(versions, new Versions.Off());
    this.time = time;
    this.limits = limits;
  }

  TableId table() {
    return members.get(0).entry().table();
  }

  /** Whether anything is left to judge. */
  boolean isLive() {
    for (Obstacle obstacle : obstacles) {
      if (obstacle == null) {
        return true;
      }
    }
    return false;
  }

  /**
   * The first source read (S1).
   *
   * @param held the commits that waited right before it
   */
  void readSourceBefore(PlanCache plans, HeldCommits held, Cancellation cancel) {
    heldBefore = held;
    timed(
        () -> {
          openPlan(plans, cancel);
          seenBefore = read(plans, Side.SOURCE, sourceBefore, cancel);
        });
  }

  /** The target read (T), then the second source read (S2). */
  void readTargetAndSourceAfter(PlanCache plans, Cancellation cancel) {
    timed(() -> read(plans, Side.TARGET, target, cancel));
    timed(() -> read(plans, Side.SOURCE, sourceAfter, cancel));
  }

  /** Whether any member would be accused on what was read so far. */
  boolean accuses(Set<Long> ignoredApps) {
    return !accused(ignoredApps).isEmpty();
  }

  /**
   * Reads the source row of the accused once more (S2, later). What the target had applied may have
   * been committed and not yet visible to the source's queries when they were read before.
   */
  void readSourceOfAccused(PlanCache plans, Set<Long> ignoredApps, Cancellation cancel) {
    timed(() -> read(plans, Side.SOURCE, accused(ignoredApps), sourceAfter, cancel));
  }

  /** Nobody is accused by a plan that no longer holds. */
  void confirmPlan(PlanCache plans, Set<Long> ignoredApps, Cancellation cancel) {
    if (accuses(ignoredApps)) {
      timed(
          () -> plans.confirm(plan, readDeadline(), cancel).ifPresent(end -> obstruct(plans, end)));
    }
  }

  private void obstruct(PlanCache plans, BatchRead end) {
    if (end instanceof BatchRead.Failed failed) {
      obstruct(failed.reason(), failed.detail());
    } else {
      plans.forget(plan);
      obstruct(IncompleteReason.SCHEMA_CHANGED, "the table changed during the recheck");
    }
  }

  /** Whether a commit may hide from S1 what a member's target had at its first read. */
  boolean mayBeHeld() {
    return members.stream().anyMatch(member -> !member.held().equals(HeldCommits.NONE));
  }

  /**
   * The accused whose source rows may have been hidden cannot be judged after all.
   *
   * @param later what is in doubt of the later reads
   */
  void obstructDoubted(Set<Long> ignoredApps, Optional<Doubt> later) {
    for (int i : accused(ignoredApps)) {
      HeldCommits.between(members.get(i).held(), heldBefore)
          .or(() -> later)
          .ifPresent(doubt -> obstacles[i] = new Obstacle(doubt.reason(), doubt.detail()));
    }
  }

  /** Whether the reads leave any member open, and its versions do so far. */
  boolean leavesOpen(Set<Long> ignoredApps) {
    return !leftOpen(ignoredApps).isEmpty();
  }

  /**
   * Looks at the versions of members that are left open.
   *
   * @param open why there may be more versions than the book has, by what S1 certainly saw
   */
  void look(
      VersionBook book,
      Set<Long> ignoredApps,
      Function<VisibleTransactions, Optional<VersionGap>> open) {
    for (int i : leftOpen(ignoredApps)) {
      versions[i] =
          seenBefore
              .map(
                  seen ->
                      book.of(members.get(i).entry(), plan.fingerprint(), seen, open.apply(seen)))
              .orElseGet(() -> new Versions.Missing(VersionGap.UNEXPLAINED));
    }
  }

  private List<Integer> leftOpen(Set<Long> ignoredApps) {
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      if (obstacles[i] == null && isOpen(judgement(i, ignoredApps).verdict())) {
        left.add(i);
      }
    }
    return left;
  }

  private static boolean isOpen(Verdict verdict) {
    return verdict instanceof Verdict.Advanced
        || (verdict instanceof Verdict.Incomplete incomplete
            && incomplete.reason() == IncompleteReason.SOURCE_UNSTABLE);
  }

  private List<Integer> accused(Set<Long> ignoredApps) {
    List<Integer> accused = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      if (obstacles[i] == null
          && judgement(i, ignoredApps).verdict() instanceof Verdict.Unresolved) {
        accused.add(i);
      }
    }
    return accused;
  }

  /** What is left of {@code verify.table.timeout.ms}; the longest wait where there is none. */
  Duration budget(Duration longest) {
    if (limits.tableTimeout().isZero()) {
      return longest;
    }
    Duration left = limits.tableTimeout().minus(used);
    Duration positive = left.isNegative() ? Duration.ZERO : left;
    return positive.compareTo(longest) < 0 ? positive : longest;
  }

  /** Counts time that the group spent waiting for replay. */
  void charge(Duration waited) {
    used = used.plus(waited);
    if (!limits.tableTimeout().isZero() && used.compareTo(limits.tableTimeout()) > 0) {
      obstruct(
          IncompleteReason.TABLE_TIMEOUT,
          "reads and the wait for replay took longer than verify.table.timeout.ms="
              + limits.tableTimeout().toMillis());
    }
  }

  /** Nothing in this group that is not obstructed already can be judged. */
  void obstruct(IncompleteReason reason, String detail) {
    Obstacle obstacle = new Obstacle(reason, detail);
    for (int i = 0; i < obstacles.length; i++) {
      if (obstacles[i] == null) {
        obstacles[i] = obstacle;
      }
    }
  }

  private void timed(Runnable work) {
    long start = time.nanoTime();
    work.run();
    charge(Duration.ofNanos(time.nanoTime() - start));
  }

  private void openPlan(PlanCache plans, Cancellation cancel) {
    for (int attempt = 1; attempt <= 2 && plan == null; attempt++) {
      Opening opening =
          plans.open(table(), members.get(0).entry().key().names(), readDeadline(), cancel);
      if (opening instanceof Opening.Ready ready) {
        if (attempt == 1 && !allObservedWith(ready.plan())) {
          // The cached plan may be the stale one: ask the catalogs once more.
          plans.forget(ready.plan());
        } else {
          plan = ready.plan();
        }
      } else if (opening instanceof Opening.Skipped skipped) {
        obstruct(IncompleteReason.SCHEMA_CHANGED, skipped.detail());
        return;
      } else if (opening instanceof Opening.Unavailable unavailable) {
        obstruct(unavailable.reason(), unavailable.detail());
        return;
      }
    }
    for (int i = 0; i < members.size(); i++) {
      if (!members.get(i).planFingerprint().equals(plan.fingerprint())) {
        obstacles[i] =
            new Obstacle(
                IncompleteReason.SCHEMA_CHANGED,
                "the table's columns or key changed since the first read");
      }
    }
  }

  private boolean allObservedWith(TablePlan candidate) {
    return members.stream().allMatch(m -> m.planFingerprint().equals(candidate.fingerprint()));
  }

  private Optional<VisibleTransactions> read(
      PlanCache plans, Side side, KeyRead[] into, Cancellation cancel) {
    List<Integer> unobstructed = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      if (obstacles[i] == null) {
        unobstructed.add(i);
      }
    }
    return read(plans, side, unobstructed, into, cancel);
  }

  /** What the read certainly saw, where that is known. */
  private Optional<VisibleTransactions> read(
      PlanCache plans, Side side, List<Integer> wanted, KeyRead[] into, Cancellation cancel) {
    if (wanted.isEmpty()) {
      return Optional.empty();
    }
    List<RowKey> keys = wanted.stream().map(i -> members.get(i).entry().key()).toList();
    BatchRead batch = plans.read(side, plan, keys, readDeadline(), cancel);
    if (batch instanceof BatchRead.PlanStale) {
      obstruct(plans, batch);
      return Optional.empty();
    }
    List<KeyRead> rows = PlanCache.perKey(batch, keys.size());
    for (int n = 0; n < rows.size(); n++) {
      int i = wanted.get(n);
      into[i] = rows.get(n);
      if (rows.get(n) instanceof KeyRead.Unreadable unreadable) {
        obstacles[i] = new Obstacle(unreadable.reason(), unreadable.detail());
      }
    }
    return batch instanceof BatchRead.Rows found ? found.visible() : Optional.empty();
  }

  private Deadline readDeadline() {
    return Deadline.in(time, budget(limits.readTimeout()));
  }

  /** The members, for a round that is cancelled. */
  List<Deferred> members() {
    return members;
  }

  /** Every member's end. */
  List<Ended> decide(Optional<Lsn> boundary, Set<Long> ignoredApps) {
    List<Ended> ended = new ArrayList<>(members.size());
    for (int i = 0; i < members.size(); i++) {
      ended.add(new Ended(members.get(i).entry(), decision(i, boundary, ignoredApps)));
    }
    return ended;
  }

  private Decision decision(int i, Optional<Lsn> boundary, Set<Long> ignoredApps) {
    Deferred member = members.get(i);
    Optional<RowSnapshot> before = snapshot(sourceBefore[i]);
    Optional<RowSnapshot> replayed = snapshot(target[i]);
    Optional<RowSnapshot> after = snapshot(sourceAfter[i]);
    Judgement judgement = judgement(i, ignoredApps);
    return new Decision(
        member.entry().stratum(),
        member.entry().table(),
        member.entry().key(),
        judgement.verdict(),
        differingColumns(i),
        judgement.sourceChanged(),
        Optional.of(member.source()),
        Optional.of(member.target()),
        before,
        replayed,
        after,
        boundary,
        member.entry().shape(),
        detail(i, judgement.verdict()));
  }

  private Optional<String> detail(int i, Verdict verdict) {
    if (obstacles[i] != null) {
      return Optional.of(obstacles[i].detail());
    }
    return verdict instanceof Verdict.Advanced advanced
        ? advanced.gap().map(VersionGap::sentence)
        : Optional.empty();
  }

  private Judgement judgement(int i, Set<Long> ignoredApps) {
    Deferred member = members.get(i);
    Optional<RowSnapshot> before = snapshot(sourceBefore[i]);
    Optional<RowSnapshot> after = snapshot(sourceAfter[i]);
    if (obstacles[i] != null) {
      return KeyDecision.incomplete(
          obstacles[i].reason(), Optional.of(member.source()), before, after);
    }
    return KeyDecision.decide(
        new Evidence(
            member.source(),
            member.target(),
            before.orElseThrow(),
            snapshot(target[i]).orElseThrow(),
            after.orElseThrow(),
            owner(i),
            versions[i]),
        ignoredApps);
  }

  private List<String> differingColumns(int i) {
    return sourceAfter[i] instanceof KeyRead.Found source && target[i] instanceof KeyRead.Found row
        ? plan.differingColumns(source, row)
        : List.of();
  }

  /** The source row's owner, read as late as possible: ownership may have moved. */
  private OptionalLong owner(int i) {
    if (sourceAfter[i] instanceof KeyRead.Found found) {
      return found.app();
    }
    return sourceBefore[i] instanceof KeyRead.Found found ? found.app() : OptionalLong.empty();
  }

  private static Optional<RowSnapshot> snapshot(KeyRead read) {
    if (read instanceof KeyRead.Found found) {
      return Optional.of(found.snapshot());
    }
    return read instanceof KeyRead.NotFound ? Optional.of(RowSnapshot.absent()) : Optional.empty();
  }
}
