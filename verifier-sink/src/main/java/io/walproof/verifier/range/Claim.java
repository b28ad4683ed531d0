package io.walproof.verifier.range;

import io.walproof.contract.TableId;
import io.walproof.verifier.row.KeyRange;
import java.util.Locale;
import java.util.Objects;

/**
 * What is said to have been delivered: a table's rows within a range of its key, ends as the range
 * has them.
 *
 * @param table the table
 * @param range which rows
 * @param origin who says so
 */
public record Claim(TableId table, KeyRange range, Origin origin) {

  /** All are required. */
  public Claim {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(origin, "origin");
  }

  /** The whole table, because somebody asks. */
  public static Claim whole(TableId table) {
    return new Claim(table, KeyRange.ALL, Origin.REQUEST);
  }

  /** Who claims. */
  public enum Origin {
    /** Command line or configuration. */
    REQUEST,
    /** A connector's offsets: its initial snapshot is complete. */
    SNAPSHOT_COMPLETED,
    /** A connector's offsets: an incremental snapshot's cursor has passed these rows. */
    SNAPSHOT_CURSOR;

    /** Lower case with underscores, for records. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
