package io.walproof.verifier.core;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.defer.Deferred;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.HeldCommits.Doubt;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.VersionGap;
import io.walproof.verifier.model.VisibleTransactions;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.replay.ReplayConfirmation.Emission;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * The one recheck of each mismatch (design section 8, steps 4 and 5), in rounds: S1 of every due
 * key, one boundary for all of them, one wait for replay, then T and S2, then the decisions.
 * Sharing the boundary keeps a stopped applier from costing one timeout per table. Runs on one
 * worker thread.
 */
final class Recheck {

  /** How often a commit that is held is looked at before the keys are given up. */
  private static final int LOOKS = 3;

  /** A commit that takes this long is held. */
  private static final Duration LEAST_WAIT = Duration.ofMillis(200);

  private record GroupKey(TableId table, List<String> keyColumns) {}

  private final Time time;
  private final VerifierLimits limits;
  private final PendingBoard board;
  private final PlanCache plans;
  private final ReplayConfirmation replay;
  private final VersionSource versions;
  private final Recorder recorder;
  private final Cancellation cancel;
  private final AtomicReference<ReplayStatus> status =
      new AtomicReference<>(new ReplayStatus(Optional.empty(), Duration.ZERO, 0, 0));

  Recheck(
      Time time,
      VerifierLimits limits,
      PendingBoard board,
      PlanCache plans,
      ReplayConfirmation replay,
      VersionSource versions,
      Recorder recorder,
      Cancellation cancel) {
    this.time = time;
    this.limits = limits;
    this.board = board;
    this.plans = plans;
    this.replay = replay;
    this.versions = versions;
    this.recorder = recorder;
    this.cancel = cancel;
  }

  /** Works until the board stops. */
  void run() throws InterruptedException {
    List<Deferred> due = board.awaitDeferred(limits.batchRows());
    while (!due.isEmpty()) {
      round(due);
      due = board.awaitDeferred(limits.batchRows());
    }
  }

  ReplayStatus status() {
    return status.get();
  }

  /** Rechecks one batch, of any tables. */
  void round(List<Deferred> due) throws InterruptedException {
    List<RecheckGroup> groups = groups(due);
    Optional<StreamWatch> watch =
        versions.book().isOn()
            ? Optional.of(new StreamWatch(versions.stream(), time))
            : Optional.empty();
    HeldCommits held =
        groups.stream().anyMatch(RecheckGroup::mayBeHeld) ? heldCommits() : HeldCommits.NONE;
    groups.forEach(group -> group.readSourceBefore(plans, held, cancel));
    Optional<Lsn> boundary = Optional.empty();
    if (groups.stream().anyMatch(RecheckGroup::isLive) && !cancel.isCancelled()) {
      Emission emission = replay.emit(Deadline.in(time, limits.readTimeout()), cancel);
      if (emission instanceof Emission.Emitted emitted) {
        boundary = emitted.boundary().lsn();
        awaitReplay(groups, emitted.boundary());
      } else if (emission instanceof Emission.Failed failed) {
        groups.forEach(group -> group.obstruct(failed.reason(), failed.detail()));
      }
      groups.forEach(group -> group.readTargetAndSourceAfter(plans, cancel));
      readSourceOfAccused(groups);
      // Without a boundary nobody knows where the target must be.
      if (boundary.isPresent() && watch.isPresent()) {
        lookAtVersions(groups, watch.get());
      }
      groups.forEach(group -> group.confirmPlan(plans, limits.ignoredApps(), cancel));
    }
    if (cancel.isCancelled()) {
      recorder.abandoned(List.of(), due);
      return;
    }
    List<Recorder.Ended> ended = new ArrayList<>();
    for (RecheckGroup group : groups) {
      ended.addAll(group.decide(boundary, limits.ignoredApps()));
    }
    recorder.ended(ended);
  }

  /**
   * Nobody is accused before what the target may have applied has settled on the source too: a
   * commit is in the WAL before queries see it, for a moment or, where it waits for a synchronous
   * standby, for as long as that takes.
   */
  private void readSourceOfAccused(List<RecheckGroup> groups) throws InterruptedException {
    List<RecheckGroup> accusing =
        groups.stream().filter(group -> group.accuses(limits.ignoredApps())).toList();
    if (accusing.isEmpty()) {
      return;
    }
    HeldCommits held = heldCommits();
    Optional<Doubt> doubt = Optional.empty();
    for (int look = 0; look == 0 || (doubt.isPresent() && look < LOOKS); look++) {
      cancel.await(time, look == 0 ? limits.settle() : longer(limits.settle()));
      doubt = HeldCommits.between(held, heldCommits());
    }
    accusing.forEach(group -> group.readSourceOfAccused(plans, limits.ignoredApps(), cancel));
    for (RecheckGroup group : accusing) {
      group.obstructDoubted(limits.ignoredApps(), doubt);
    }
  }

  private static Duration longer(Duration settle) {
    return settle.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : settle;
  }

  private HeldCommits heldCommits() {
    return plans.heldCommits(Deadline.in(time, limits.readTimeout()), cancel);
  }

  /** Where the reads prove nothing; who holds what the stream has shown already need not wait. */
  private void lookAtVersions(List<RecheckGroup> groups, StreamWatch watch)
      throws InterruptedException {
    Set<Long> ignored = limits.ignoredApps();
    look(groups, (group, seen) -> Optional.of(VersionGap.STREAM_BEHIND));
    if (groups.stream().anyMatch(group -> group.leavesOpen(ignored))) {
      watch.await(versions.timeout(), cancel);
      look(groups, (group, seen) -> watch.open(group.table(), seen));
    }
  }

  private void look(
      List<RecheckGroup> groups,
      BiFunction<RecheckGroup, VisibleTransactions, Optional<VersionGap>> open) {
    groups.forEach(
        group ->
            group.look(versions.book(), limits.ignoredApps(), seen -> open.apply(group, seen)));
  }

  private void awaitReplay(List<RecheckGroup> groups, ReplayConfirmation.Boundary boundary) {
    List<RecheckGroup> live = groups.stream().filter(RecheckGroup::isLive).toList();
    Duration longest =
        live.stream()
            .map(group -> group.budget(limits.replayTimeout()))
            .max(Duration::compareTo)
            .orElse(limits.replayTimeout());
    Set<TableId> tables = live.stream().map(RecheckGroup::table).collect(Collectors.toSet());
    long start = time.nanoTime();
    Result result = replay.await(boundary, tables, Deadline.in(time, longest), cancel);
    Duration waited = Duration.ofNanos(time.nanoTime() - start);
    if (result instanceof Result.NotConfirmed failed) {
      live.forEach(group -> group.obstruct(failed.reason(), failed.detail()));
    } else if (result instanceof Result.Confirmed confirmed) {
      for (RecheckGroup group : live) {
        if (confirmed.notReplicated().contains(group.table())) {
          group.obstruct(
              IncompleteReason.TABLE_NOT_REPLICATED,
              "replay is confirmed, but not for this table: what was confirmed does not carry it, or"
                  + " still copies it");
        }
      }
    }
    live.forEach(group -> group.charge(waited));
    status.updateAndGet(old -> old.next(boundary.lsn(), waited, result));
  }

  private List<RecheckGroup> groups(List<Deferred> due) {
    Map<GroupKey, List<Deferred>> byTable = new LinkedHashMap<>();
    for (Deferred deferred : due) {
      byTable
          .computeIfAbsent(
              new GroupKey(deferred.entry().table(), deferred.entry().key().names()),
              g -> new ArrayList<>())
          .add(deferred);
    }
    return byTable.values().stream()
        .map(members -> new RecheckGroup(members, time, limits))
        .toList();
  }
}
