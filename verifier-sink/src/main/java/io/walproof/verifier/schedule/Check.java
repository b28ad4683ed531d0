package io.walproof.verifier.schedule;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.range.Claim;
import java.util.ArrayList;
import java.util.List;

/** One table's check, waiting or running. Guarded by the agenda. */
final class Check {

  private final Cancellation cancel = new Cancellation();
  private final List<Trigger> triggers = new ArrayList<>();
  private Claim claim;
  private boolean restart;
  private boolean superseded;

  Check(Claim claim) {
    this.claim = claim;
  }

  Claim claim() {
    return claim;
  }

  TableId table() {
    return claim.table();
  }

  /** Whether earlier checks' proofs are forgotten. */
  boolean restart() {
    return restart;
  }

  Cancellation cancel() {
    return cancel;
  }

  List<Trigger> triggers() {
    return triggers;
  }

  /** What is asked for last is what is checked. */
  void serve(Trigger trigger, Claim newest, boolean anew) {
    claim = newest;
    restart |= anew;
    if (!triggers.contains(trigger)) {
      triggers.add(trigger);
      trigger.opened();
    }
  }

  boolean isSuperseded() {
    return superseded;
  }

  void supersede() {
    superseded = true;
  }
}
