package io.walproof.verifier.row;

import io.walproof.contract.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How one table's rows are read and compared, made from both catalogs at one moment. Immutable. */
public interface TablePlan {

  /** The table's name on the source. */
  TableId table();

  /**
   * What the target calls the table and its compared columns, for people; empty if it has the
   * source's names.
   */
  Optional<String> heldAs();

  /** The key columns, in the order that {@link io.walproof.contract.RowKey}s name them. */
  List<String> keyColumns();

  /** The compared columns, in the order of {@link KeyRead.Found#columnHashes()}. */
  List<String> comparedColumns();

  /** Columns that exist on both sides and cannot be compared, each with the reason. */
  List<String> columnsNotCompared();

  /** Columns that {@code verify.columns.exclude} leaves out. */
  List<String> columnsExcluded();

  /** Columns that the publication's column list leaves out; they are not compared. */
  List<String> columnsNotPublished();

  /** Columns that only the target has; they are not compared. */
  List<String> columnsOnlyOnTarget();

  /** The name of the rule by which each compared column is compared, in that order. */
  Map<String, String> rules();

  /**
   * Identifies the two catalogs' state that the plan was made from: equal plans have equal
   * fingerprints, and a changed column, type, key or relation OID changes it.
   */
  String fingerprint();

  /** Hashes rows of the source's stream as reads by this plan are hashed. */
  StreamedRows streamedRows();

  /** The names of the columns whose hashes differ. */
  List<String> differingColumns(KeyRead.Found source, KeyRead.Found target);
}
