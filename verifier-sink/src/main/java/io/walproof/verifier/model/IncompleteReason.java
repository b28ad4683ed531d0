package io.walproof.verifier.model;

import java.util.Locale;
import java.util.Optional;

/** Why a key could not be judged. Never "equal", never "absent" (invariant A). */
public enum IncompleteReason {
  /** Replay was not confirmed past the boundary in time. */
  REPLAY_NOT_CONFIRMED,
  /** No boundary could be emitted, or the confirmation itself failed. */
  CONFIRMATION_FAILED,
  /** The source could not be read. */
  SOURCE_READ_FAILED,
  /** The source's queries still do not see the transaction that the WAL brought. */
  TRANSACTION_NOT_VISIBLE,
  /** The target could not be read. */
  TARGET_READ_FAILED,
  /** A value or row that could not be read or compared. */
  NOT_COMPARABLE,
  /** A row is longer than {@code verify.row.max.bytes}, and was not fetched. */
  ROW_TOO_LARGE,
  /** The key found more than one row. */
  NOT_UNIQUE,
  /** The source row kept changing during the recheck and the target never showed the row. */
  SOURCE_UNSTABLE,
  /** The table's shape changed between the first and the last read. */
  SCHEMA_CHANGED,
  /**
   * Nobody has accepted the table's shape yet ({@code drift.policy=dlq}); the key is kept, and
   * checked once somebody has.
   */
  SHAPE_NOT_ACCEPTED,
  /** The same, but there is no room to keep the key: it will not be checked by itself. */
  DIVERTED_NOT_KEPT,
  /** The source has no such table (any more). */
  SOURCE_TABLE_MISSING,
  /** The target has no such table. */
  TARGET_TABLE_MISSING,
  /** The target lacks a column that the source has. */
  TARGET_COLUMN_MISSING,
  /** Reads and the replay wait used up the table's time. */
  TABLE_TIMEOUT,
  /** The run ended before the key was decided. */
  CANCELLED,
  /** The key's partition went to another task, which checks the key again. */
  PARTITION_REVOKED,
  /** The subscription has not finished its initial copy of the table, or does not carry it. */
  TABLE_NOT_REPLICATED;

  /** Lower case with underscores, for records. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** From a record's text; empty for a word that this build does not know. */
  public static Optional<IncompleteReason> of(String text) {
    for (IncompleteReason reason : values()) {
      if (reason.text().equals(text)) {
        return Optional.of(reason);
      }
    }
    return Optional.empty();
  }

  /**
   * Whether the check is made again without anybody's doing: its offset was not committed, or the
   * key is kept. All others wait for the key's next change or for a range check.
   */
  public boolean isRepeated() {
    return switch (this) {
      case CANCELLED, PARTITION_REVOKED, SHAPE_NOT_ACCEPTED -> true;
      case REPLAY_NOT_CONFIRMED,
          CONFIRMATION_FAILED,
          SOURCE_READ_FAILED,
          TRANSACTION_NOT_VISIBLE,
          TARGET_READ_FAILED,
          NOT_COMPARABLE,
          ROW_TOO_LARGE,
          NOT_UNIQUE,
          SOURCE_UNSTABLE,
          SCHEMA_CHANGED,
          DIVERTED_NOT_KEPT,
          SOURCE_TABLE_MISSING,
          TARGET_TABLE_MISSING,
          TARGET_COLUMN_MISSING,
          TABLE_TIMEOUT,
          TABLE_NOT_REPLICATED ->
          false;
    };
  }
}
