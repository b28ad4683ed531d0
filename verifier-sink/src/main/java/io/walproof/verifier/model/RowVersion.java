package io.walproof.verifier.model;

import io.walproof.contract.Lsn;
import java.util.Objects;
import java.util.Optional;

/** One state of a source row as the stream of changes showed it, or the lack of one. */
public sealed interface RowVersion {

  /**
   * A change of the row.
   *
   * @param commit where its transaction committed
   * @param transactionId its 32-bit transaction id
   * @param state what the row was after it
   */
  record Change(Lsn commit, long transactionId, State state) implements RowVersion {
    /** Refuses null. */
    public Change {
      Objects.requireNonNull(commit, "commit");
      Objects.requireNonNull(state, "state");
    }
  }

  /**
   * There may have been any changes here.
   *
   * @param reason why they are not known
   */
  record Lost(VersionGap reason) implements RowVersion {
    /** The reason is required. */
    public Lost {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** What a row was. */
  sealed interface State {}

  /**
   * Its contents; empty where the change deleted it.
   *
   * @param hash as of {@link RowSnapshot.Present}
   */
  record Known(Optional<RowHash> hash) implements State {
    /** Empty for an absence, not null. */
    public Known {
      Objects.requireNonNull(hash, "hash");
    }
  }

  /**
   * It changed, and into what the stream does not tell.
   *
   * @param reason why
   */
  record Untold(VersionGap reason) implements State {
    /** The reason is required. */
    public Untold {
      Objects.requireNonNull(reason, "reason");
    }
  }
}
