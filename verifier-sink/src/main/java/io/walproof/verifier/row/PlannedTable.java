package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Side;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The plan that {@link TablePlanner} makes. */
final class PlannedTable implements TablePlan {

  private final TableId table;
  private final List<String> keyColumns;
  private final List<String> comparedColumns;
  private final List<String> columnsNotCompared;
  private final List<String> columnsExcluded;
  private final List<String> columnsNotPublished;
  private final List<String> columnsOnlyOnTarget;
  private final Map<String, String> rules;
  private final SidePlan source;
  private final SidePlan target;
  private final String fingerprint;

  PlannedTable(
      TableId table,
      List<String> keyColumns,
      Map<String, RulePair> compared,
      List<String> columnsNotCompared,
      List<String> columnsExcluded,
      List<String> columnsNotPublished,
      List<String> columnsOnlyOnTarget,
      SidePlan source,
      SidePlan target) {
    this.table = table;
    this.keyColumns = List.copyOf(keyColumns);
    this.comparedColumns = List.copyOf(compared.keySet());
    this.columnsNotCompared = List.copyOf(columnsNotCompared);
    this.columnsExcluded = List.copyOf(columnsExcluded);
    this.columnsNotPublished = List.copyOf(columnsNotPublished);
    this.columnsOnlyOnTarget = List.copyOf(columnsOnlyOnTarget);
    Map<String, String> names = new LinkedHashMap<>();
    compared.forEach((column, pair) -> names.put(column, pair.text()));
    this.rules = java.util.Collections.unmodifiableMap(names);
    this.source = source;
    this.target = target;
    this.fingerprint = digest();
  }

  private String digest() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      List<String> parts = new ArrayList<>(keyColumns);
      parts.add(source.catalog().toString());
      parts.add(target.catalog().toString());
      parts.add(comparedColumns.toString());
      parts.add(rules.toString());
      parts.add(source.relation());
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        sha.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
        sha.update(bytes);
      }
      return HexFormat.of().formatHex(sha.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  SidePlan on(Side side) {
    return side == Side.SOURCE ? source : target;
  }

  @Override
  public TableId table() {
    return table;
  }

  @Override
  public List<String> keyColumns() {
    return keyColumns;
  }

  @Override
  public Optional<String> heldAs() {
    List<String> columns =
        target.catalog().columns().stream()
            .filter(column -> comparedColumns.contains(column.name()))
            .filter(column -> !column.own().equals(column.name()))
            .map(c -> SqlIdentifier.display(c.name()) + " as " + SqlIdentifier.display(c.own()))
            .toList();
    TableId there = target.catalog().table();
    if (there.equals(table) && columns.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        there + (columns.isEmpty() ? "" : ", with column " + String.join(", ", columns)));
  }

  @Override
  public List<String> comparedColumns() {
    return comparedColumns;
  }

  @Override
  public List<String> columnsNotCompared() {
    return columnsNotCompared;
  }

  @Override
  public List<String> columnsExcluded() {
    return columnsExcluded;
  }

  @Override
  public List<String> columnsNotPublished() {
    return columnsNotPublished;
  }

  @Override
  public List<String> columnsOnlyOnTarget() {
    return columnsOnlyOnTarget;
  }

  @Override
  public Map<String, String> rules() {
    return rules;
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public StreamedRows streamedRows() {
    return new PlannedStream(this);
  }

  @Override
  public List<String> differingColumns(KeyRead.Found source, KeyRead.Found target) {
    List<String> differing = new ArrayList<>();
    for (int i = 0; i < comparedColumns.size(); i++) {
      if (source.columnHashes()[i] != target.columnHashes()[i]) {
        differing.add(comparedColumns.get(i));
      }
    }
    return differing;
  }
}
