package io.walproof.verifier.row;

import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import java.util.OptionalLong;

/** What one read says of one key. */
public sealed interface KeyRead {

  /** The key's row, read and hashed. */
  @SuppressWarnings("ArrayRecordComponent")
  record Found(RowHash hash, long xmin, long[] columnHashes, OptionalLong app) implements KeyRead {
    /** As evidence. */
    public RowSnapshot snapshot() {
      return new RowSnapshot.Present(hash, xmin);
    }
  }

  /** The read succeeded and no row has the key. */
  record NotFound() implements KeyRead {}

  /**
   * More than one row has the key, or a value could not be read: never equal, never absent.
   *
   * @param reason why
   * @param detail a sentence for people; no row values
   * @param xmin of a row whose values were not asked for
   */
  record Unreadable(IncompleteReason reason, String detail, OptionalLong xmin) implements KeyRead {
    /** Of which no row version is known. */
    public Unreadable(IncompleteReason reason, String detail) {
      this(reason, detail, OptionalLong.empty());
    }
  }
}
