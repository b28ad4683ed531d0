package io.walproof.verifier.range;

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

  static WalkEnd cancelled() {
    return stopped(CANCELLED, "the check was stopped; a later one continues from here");
  }
}
