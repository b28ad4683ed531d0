package io.walproof.connector.emit;

import io.walproof.contract.TableId;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a record names no key. It is counted, never dropped in silence (invariant A).
 *
 * @param reason why
 * @param table the table, if the record belongs to one
 */
public record Skip(Reason reason, Optional<TableId> table) {

  /** Why a record names no key. */
  public enum Reason {
    /** Debezium's heartbeat: it only moves the position. */
    HEARTBEAT,
    /** A logical message. */
    MESSAGE,
    /** A transaction's begin or end. */
    TRANSACTION_METADATA,
    /** A table was emptied. */
    TRUNCATE,
    /** The table has neither a replica identity nor a key in the catalog. */
    NO_USABLE_KEY,
    /** A key value is NULL, is out of line and was not sent, or has no exact text form. */
    KEY_VALUE_UNAVAILABLE,
    /** A gap in the stream was accepted; the drift event names it. */
    GAP,
    /** Not a change: shapes of diverted tables were accepted; the drift events name them. */
    ACCEPTED,
    /** Not a change: what the catalog shows beyond the stream. */
    CATALOG,
    /** The drift policy ends the capture before this change; the next start delivers it. */
    HALT,
    /** A record of a kind that carries no change. */
    OTHER;

    /** The name in audit, metrics and reports. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Refuses null. */
  public Skip {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(table, "table");
  }
}
