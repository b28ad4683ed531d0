package io.walproof.verifier.range;

import io.walproof.contract.SqlIdentifier;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess.BoundCheck;
import io.walproof.verifier.row.RangeAccess.Within;
import io.walproof.verifier.row.RangePlan;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether a claim's bounds are keys of the table, in its order; the source decides. */
final class ClaimBounds {

  private static final String REFUSED = "bound_refused";

  private final RangeCheck.Parts parts;
  private final Claim claim;
  private final KeyRange range;
  private final RangePlan plan;
  private final String key;
  private final Deadline deadline;
  private final Cancellation cancel;

  ClaimBounds(
      RangeCheck.Parts parts, Claim claim, RangePlan plan, Deadline deadline, Cancellation cancel) {
    this.parts = parts;
    this.claim = claim;
    this.range = claim.range();
    this.plan = plan;
    this.key = "the key of " + claim.table() + " (" + SqlIdentifier.list(plan.keyColumns()) + ")";
    this.deadline = deadline;
    this.cancel = cancel;
  }

  /** Why the range cannot be walked; empty if it can. */
  Optional<WalkEnd> obstacle() {
    if (claim.origin() == Claim.Origin.SNAPSHOT_CURSOR
        && !range.isWhole()
        && !plan.isPrimaryKey()) {
      // Its values would be taken for another key's, and the claim for another set of rows.
      return Optional.of(
          WalkEnd.stopped(
              OffsetClaims.CURSOR_KEY,
              "a cursor counts by the primary key, and the primary key of "
                  + claim.table()
                  + " cannot be used here (there is none, or it is deferrable or not valid): "
                  + key
                  + " is another's; check the whole table with --table instead"));
    }
    int columns = plan.keyColumns().size();
    if (Stream.concat(range.from().stream(), range.to().stream())
        .anyMatch(bound -> bound.key().size() != columns)) {
      return refused("a bound must have as many values as " + key + " has columns" + example());
    }
    BoundCheck check = parts.access().check(plan, range, readDeadline(), cancel);
    if (check instanceof BoundCheck.Failed failed) {
      return Optional.of(WalkEnd.unread(failed.reason(), failed.detail(), deadline));
    }
    return check instanceof BoundCheck.Refused
        ? refused("the source does not take a bound's values for values of " + key)
        : backward();
  }

  /** How a person writes such a bound; a cursor's is not written. */
  private String example() {
    return claim.origin() == Claim.Origin.REQUEST
        ? ", as a JSON array in that order: "
            + Collections.nCopies(plan.keyColumns().size(), "\"...\"")
        : "";
  }

  /** A range whose ends are swapped holds nothing, which must not look like a proof. */
  private Optional<WalkEnd> backward() {
    if (range.from().isEmpty() || range.to().isEmpty()) {
      return Optional.empty();
    }
    Within within =
        parts
            .access()
            .within(
                plan,
                new KeyRange(Optional.empty(), range.to()),
                List.of(plan.key(range.from().get().key())),
                readDeadline(),
                cancel);
    if (within instanceof Within.Failed failed) {
      return Optional.of(WalkEnd.unread(failed.reason(), failed.detail(), deadline));
    }
    return ((Within.Places) within).places().isEmpty()
        ? refused("the range's first key lies behind its last, in the order of " + key)
        : Optional.empty();
  }

  private static Optional<WalkEnd> refused(String why) {
    return Optional.of(WalkEnd.stopped(REFUSED, why));
  }

  private Deadline readDeadline() {
    return Deadline.in(parts.time(), parts.limits().readTimeout()).earlierOf(deadline);
  }
}
