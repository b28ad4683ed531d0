package io.walproof.contract;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What the stream of changes shows of the row behind a changed key. Holds row values, which go
 * nowhere but into hashes (invariant M).
 *
 * @param commit the LSN of its transaction's commit record
 * @param repeated whether the stream has come back to before what it showed last
 * @param contents the row after the change; empty for a delete, and where it was not kept
 */
public record StreamedRow(Lsn commit, boolean repeated, Optional<Contents> contents) {

  /** Stands for a value that the stream left out; compared by identity. */
  private static final byte[] NOT_SENT = new byte[0];

  /** Refuses null. */
  public StreamedRow {
    Objects.requireNonNull(commit, "commit");
    Objects.requireNonNull(contents, "contents");
  }

  /** A row as texts. */
  public interface Contents {

    /** The names of the columns that the stream carries. */
    List<String> columns();

    /**
     * The values in the order of the columns, as PostgreSQL prints them under the settings that
     * rows are compared under, in UTF-8; null for NULL. Read anew at each call.
     */
    byte[][] texts();
  }

  /** The mark for a value that is stored out of line, did not change, and was not sent. */
  public static byte[] notSent() {
    return NOT_SENT;
  }
}
