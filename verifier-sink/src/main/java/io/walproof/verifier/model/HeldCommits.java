package io.walproof.verifier.model;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/**
 * Which commits on the source wait for a synchronous standby. Such a commit is in the WAL, so that
 * the target may have it, and no query on the source sees it: a look at both sides takes the target
 * for wrong. One that waits at a look before the source's row was read and at one behind the
 * target's may be such a one.
 */
public sealed interface HeldCommits {

  /** None. */
  HeldCommits NONE = new Known(Set.of());

  /** What a read is worth that such a commit may belie. */
  String WAITED =
      "a commit on the source waits for a synchronous standby: the target may have it, and the"
          + " source's queries do not show it yet. Without pg_read_all_stats every open transaction"
          + " of others may be one: GRANT pg_read_all_stats to the role of the source";

  /** A look that failed. */
  record Unknown(IncompleteReason reason, String detail) implements HeldCommits {}

  /**
   * A look.
   *
   * @param transactions what tells them apart
   */
  record Known(Set<String> transactions) implements HeldCommits {
    /** Copies. */
    public Known {
      transactions = Set.copyOf(transactions);
    }
  }

  /** Why a read between the two looks proves nothing. */
  record Doubt(IncompleteReason reason, String detail) {}

  /**
   * What two looks say of a read. A commit that was hidden from it waited at both.
   *
   * @param first after the target's row was read
   * @param second before the source's row was read
   */
  static Optional<Doubt> between(HeldCommits first, HeldCommits second) {
    if (first.equals(NONE) || second.equals(NONE)) {
      return Optional.empty();
    }
    if (second instanceof Unknown unknown) {
      return Optional.of(new Doubt(unknown.reason(), unknown.detail()));
    }
    Set<String> now = ((Known) second).transactions();
    return first instanceof Known then && Collections.disjoint(then.transactions(), now)
        ? Optional.empty()
        : Optional.of(new Doubt(IncompleteReason.TRANSACTION_NOT_VISIBLE, WAITED));
  }
}
