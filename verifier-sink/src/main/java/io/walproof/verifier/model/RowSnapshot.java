package io.walproof.verifier.model;

import java.util.Objects;

/** What one read saw of one row on one side. */
public sealed interface RowSnapshot {

  /** The row was not there. */
  static RowSnapshot absent() {
    return new Absent();
  }

  /** Whether the row was there. */
  default boolean present() {
    return this instanceof Present;
  }

  /** A proven absence: the read succeeded and found nothing. */
  record Absent() implements RowSnapshot {}

  /**
   * A row that was there.
   *
   * @param hash its contents
   * @param xmin the 32-bit transaction id that wrote this version; compared only with snapshots of
   *     the same database
   */
  record Present(RowHash hash, long xmin) implements RowSnapshot {
    /** The hash is required. */
    public Present {
      Objects.requireNonNull(hash, "hash");
    }
  }
}
