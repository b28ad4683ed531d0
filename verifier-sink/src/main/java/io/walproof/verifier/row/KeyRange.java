package io.walproof.verifier.row;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A range of a table's key order.
 *
 * @param from where it begins; empty for the first row
 * @param to where it ends; empty for the last row
 */
public record KeyRange(Optional<Bound> from, Optional<Bound> to) {

  /** The whole table. */
  public static final KeyRange ALL = new KeyRange(Optional.empty(), Optional.empty());

  /** Both are required. */
  public KeyRange {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
  }

  /** The same from behind a key on. */
  public KeyRange after(List<String> key) {
    return new KeyRange(Optional.of(new Bound(key, false)), to);
  }

  /** The same up to a key, inclusive. */
  public KeyRange through(List<String> key) {
    return new KeyRange(from, Optional.of(new Bound(key, true)));
  }

  /** Whether it has no bounds. */
  public boolean isWhole() {
    return from.isEmpty() && to.isEmpty();
  }

  /**
   * One end.
   *
   * @param key the key columns' values as PostgreSQL's text, in the plan's order
   * @param inclusive whether the key itself belongs to the range
   */
  public record Bound(List<String> key, boolean inclusive) {
    /** Copies. */
    public Bound {
      key = List.copyOf(key);
    }

    /** Without the values. */
    @Override
    public String toString() {
      return inclusive ? "inclusive" : "exclusive";
    }
  }
}
