package io.walproof.verifier.replay;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import java.util.Optional;
import java.util.Set;

/**
 * Proves that the target has replayed the source's WAL past a boundary. Idle time and waiting are
 * never a proof. One instance belongs to one worker thread.
 */
public interface ReplayConfirmation extends AutoCloseable {

  /** The strategy's name as configured, such as {@code subscription}. */
  String strategy();

  /**
   * Emits a boundary on the source, after everything that is committed there now. Never throws for
   * what a server answers.
   */
  Emission emit(Deadline deadline, Cancellation cancel);

  /**
   * Waits until the target has replayed past the boundary as far as the tables are concerned, the
   * deadline passes, or the work is cancelled. Never throws for what a server answers.
   */
  Result await(Boundary boundary, Set<TableId> tables, Deadline deadline, Cancellation cancel);

  @Override
  void close();

  /**
   * An emitted boundary.
   *
   * @param lsn the position that replay must pass; empty for strategy {@code none}
   * @param token identifies the marker row of strategy {@code marker_table}, else empty
   */
  record Boundary(Optional<Lsn> lsn, String token) {}

  /** How emitting went. */
  sealed interface Emission {
    /**
     * It worked.
     *
     * @param boundary what to wait for
     */
    record Emitted(Boundary boundary) implements Emission {}

    /**
     * It did not.
     *
     * @param reason why
     * @param detail a sentence for people
     */
    record Failed(IncompleteReason reason, String detail) implements Emission {}
  }

  /** How waiting went. */
  sealed interface Result {
    /**
     * Replay has passed the boundary for every table that is not named here.
     *
     * @param notReplicated tables that the confirmation does not cover, for instance because the
     *     subscription is still copying them
     */
    record Confirmed(Set<TableId> notReplicated) implements Result {
      /** Copies. */
      public Confirmed {
        notReplicated = Set.copyOf(notReplicated);
      }
    }

    /**
     * Not confirmed.
     *
     * @param reason why
     * @param detail a sentence for people, such as the positions compared
     */
    record NotConfirmed(IncompleteReason reason, String detail) implements Result {}
  }
}
