package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.contract.Lsn;
import java.util.Optional;

/** Whether a slot delivers everything since a position. Pure. */
final class SlotCheck {

  private SlotCheck() {}

  /** What is missing, naming the LSNs; empty if all is there. */
  static Optional<String> problem(String name, Optional<SlotState> slot, Lsn resume) {
    if (slot.isEmpty()) {
      return Optional.of(
          "slot.name '"
              + name
              + "' does not exist; changes since the stored position "
              + resume
              + " may be gone");
    }
    if (slot.get().isLost()) {
      return Optional.of(
          "slot.name '"
              + name
              + "' is "
              + lostWord(slot.get())
              + "; changes since the stored position "
              + resume
              + " are gone");
    }
    Lsn confirmed = slot.get().confirmed();
    if (confirmed.compareTo(resume) > 0) {
      return Optional.of(
          "slot.name '"
              + name
              + "' is confirmed up to "
              + confirmed
              + ", ahead of the stored position "
              + resume
              + "; changes from "
              + resume
              + " to "
              + confirmed
              + " will not be sent again");
    }
    Optional<Lsn> end = slot.get().end();
    if (end.isPresent() && !end.get().hasPassed(resume)) {
      // A failover to a standby that lagged, or a restore: what is written up to the position now
      // is not what was delivered, and the server would pass over it.
      return Optional.of(
          "the source's WAL ends at "
              + end.get()
              + ", short of the stored position "
              + resume
              + ": the source has lost changes, or was replaced by an older copy; what it writes up"
              + " to there would be passed over");
    }
    return Optional.empty();
  }

  /** The refusal. */
  static CaptureException gap(String problem) {
    return new CaptureException(
        Reason.GAP,
        problem
            + ". If the gap is acceptable, start once with drift.accept.gap=true (walproof"
            + " run --accept-gap): the capture goes on where the slot is, the schema history is kept, and the gap is reported as a"
            + " drift event; what was changed in it is not checked");
  }

  /** Why the slot is lost. */
  static String lostWord(SlotState slot) {
    return slot.invalidation().isEmpty()
        ? "lost (its WAL was removed)"
        : "invalidated (" + slot.invalidation() + ")";
  }
}
