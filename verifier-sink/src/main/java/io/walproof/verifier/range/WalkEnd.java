package io.walproof.verifier.range;

import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import java.util.Optional;

/**
 * How going through a range ended.
 *
 * @param complete whether its end was reached
 * @param reason a short code if not
 * @param detail a sentence for people about it
 */
record WalkEnd(boolean complete, Optional<String> reason, Optional<String> detail) {

  static final String CANCELLED = "cancelled";

  static WalkEnd done() {
    return new WalkEnd(true, Optional.empty(), Optional.empty());
  }

  static WalkEnd stopped(String reason, String detail) {
    return new WalkEnd(false, Optional.of(reason), Optional.of(detail));
  }

  static WalkEnd deadline() {
    return stopped("deadline", "the time is used up; a later check continues from here");
  }

  /** A server's answer kept the walk from beginning. */
  static WalkEnd unread(IncompleteReason reason, String detail, Deadline deadline) {
    return reason == IncompleteReason.TABLE_TIMEOUT && deadline.hasPassed()
        ? deadline()
        : stopped(reason.text(), detail);
  }

  static WalkEnd cancelled() {
    return stopped(CANCELLED, "the check was stopped; a later one continues from here");
  }
}
