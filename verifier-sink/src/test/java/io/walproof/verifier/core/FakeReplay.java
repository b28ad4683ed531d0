package io.walproof.verifier.core;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.replay.ReplayConfirmation;
import java.util.Optional;
import java.util.Set;

/** A replay that a test steers. */
public final class FakeReplay implements ReplayConfirmation {

  /** What happens when the verifier waits. */
  interface Script {
    Result onAwait(Set<TableId> tables, Deadline deadline);
  }

  private Script script = (tables, deadline) -> new Result.Confirmed(Set.of());
  private Runnable onEmit = () -> {};
  private int emitted;

  /** One that confirms every boundary, after what happens until it is passed. */
  public static FakeReplay confirming(Runnable untilPassed) {
    FakeReplay replay = new FakeReplay();
    replay.script(
        (tables, deadline) -> {
          untilPassed.run();
          return new Result.Confirmed(Set.of());
        });
    return replay;
  }

  synchronized void script(Script wanted) {
    script = wanted;
  }

  /** Runs between S1 and the wait. */
  synchronized void onEmit(Runnable action) {
    onEmit = action;
  }

  synchronized int emitted() {
    return emitted;
  }

  static Result stopped() {
    return new Result.NotConfirmed(IncompleteReason.REPLAY_NOT_CONFIRMED, "the applier stands");
  }

  @Override
  public String strategy() {
    return "fake";
  }

  @Override
  public synchronized Emission emit(Deadline deadline, Cancellation cancel) {
    emitted++;
    onEmit.run();
    return new Emission.Emitted(new Boundary(Optional.of(new Lsn(1000L + emitted)), ""));
  }

  @Override
  public Result await(
      Boundary boundary, Set<TableId> tables, Deadline deadline, Cancellation cancel) {
    Script current;
    synchronized (this) {
      current = script;
    }
    return current.onAwait(tables, deadline);
  }

  @Override
  public void close() {}
}
