package io.walproof.verifier.model;

import java.util.List;

/**
 * Columns of one table that no verdict covers.
 *
 * @param notCompared columns that exist on both sides and cannot be compared, each with the reason
 * @param excluded columns that {@code verify.columns.exclude} names
 * @param notPublished columns that the publication's column list leaves out
 */
public record ColumnsLeftOut(
    List<String> notCompared, List<String> excluded, List<String> notPublished) {
  /** Copies. */
  public ColumnsLeftOut {
    notCompared = List.copyOf(notCompared);
    excluded = List.copyOf(excluded);
    notPublished = List.copyOf(notPublished);
  }
}
