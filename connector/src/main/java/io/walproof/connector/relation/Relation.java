package io.walproof.connector.relation;

import io.walproof.contract.Shape;
import io.walproof.contract.ShapeHash;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * One RELATION message, digested once for the many changes that follow it. A message that is sent
 * again with the same bytes yields the same object, so identity means "nothing changed". Immutable
 * apart from a cache that belongs to the streaming thread.
 */
public final class Relation {

  private final Shape shape;
  private final ShapeHash hash;
  private final boolean captured;

  /** Columns that the message flags as key, ascending. */
  private final int[] flagged;

  /** The last list of names that was looked up, and its columns; streaming thread only. */
  private List<String> namesLookedUp = List.of();

  private int[] indexesOfNames = new int[0];

  /**
   * A relation.
   *
   * @param shape what the message says
   * @param captured whether Debezium's filters include the table
   */
  public Relation(Shape shape, boolean captured) {
    this.shape = Objects.requireNonNull(shape, "shape");
    this.hash = ShapeHash.of(shape);
    this.captured = captured;
    int[] indexes = new int[shape.columns().size()];
    int count = 0;
    for (int i = 0; i < indexes.length; i++) {
      if (shape.columns().get(i).key()) {
        indexes[count++] = i;
      }
    }
    this.flagged = Arrays.copyOf(indexes, count);
  }

  /** What the message says. */
  public Shape shape() {
    return shape;
  }

  /** The shape's hash. */
  public ShapeHash hash() {
    return hash;
  }

  /** Whether Debezium's filters include the table. */
  public boolean captured() {
    return captured;
  }

  /** The number of columns. */
  int width() {
    return shape.columns().size();
  }

  String columnName(int index) {
    return shape.columns().get(index).name();
  }

  /**
   * The columns that identify a row. Replica identity default and index: those that the message
   * flags. Full flags every column and nothing flags none, so there the catalog's names decide.
   *
   * @param catalogKey the key's column names by the catalog, empty where there is none; asked only
   *     if it decides
   * @return column indexes, empty if the table has no usable key
   */
  int[] keyColumns(Supplier<List<String>> catalogKey) {
    boolean flagsSay =
        switch (shape.replicaIdentity()) {
          case DEFAULT, INDEX -> flagged.length > 0;
          case FULL, NOTHING -> false;
        };
    return flagsSay ? flagged : indexesOf(catalogKey.get());
  }

  private int[] indexesOf(List<String> names) {
    if (!names.equals(namesLookedUp)) {
      int[] found = new int[names.size()];
      for (int i = 0; i < found.length; i++) {
        found[i] = indexOf(names.get(i));
        if (found[i] < 0) {
          // The catalog is ahead of the message: a key column was renamed or added since.
          found = new int[0];
          break;
        }
      }
      namesLookedUp = List.copyOf(names);
      indexesOfNames = found;
    }
    return indexesOfNames;
  }

  private int indexOf(String name) {
    for (int i = 0; i < width(); i++) {
      if (columnName(i).equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
