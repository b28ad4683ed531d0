package io.walproof.verifier.core;

import io.walproof.contract.TableId;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.StreamedRows;
import io.walproof.verifier.row.TablePlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The plan of a table in memory: one compared column, {@code value}. */
record OneColumnPlan(TableId table, List<String> keyColumns, String fingerprint)
    implements TablePlan {

  @Override
  public Optional<String> heldAs() {
    return Optional.empty();
  }

  @Override
  public List<String> comparedColumns() {
    return List.of("value");
  }

  @Override
  public List<String> columnsOnlyOnTarget() {
    return List.of();
  }

  @Override
  public Map<String, String> rules() {
    return Map.of();
  }

  @Override
  public List<String> columnsExcluded() {
    return List.of();
  }

  @Override
  public List<String> columnsNotPublished() {
    return List.of();
  }

  @Override
  public List<String> columnsNotCompared() {
    return List.of();
  }

  @Override
  public StreamedRows streamedRows() {
    return new OneColumnStream(this);
  }

  @Override
  public List<String> differingColumns(KeyRead.Found source, KeyRead.Found target) {
    return source.hash().equals(target.hash()) ? List.of() : List.of("value");
  }
}
