package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What an operator said of single columns.
 *
 * @param excluded columns that are not compared, by table
 * @param rules the names of the rules that columns are compared by, instead of their types' own
 */
public record ColumnSettings(
    Map<TableId, Set<String>> excluded, Map<TableId, Map<String, String>> rules) {

  /** The configuration key of {@link #excluded}. */
  public static final String EXCLUDE = "verify.columns.exclude";

  /** The configuration key of {@link #rules}. */
  public static final String RULES = "verify.column.rules";

  /** No column is special. */
  public static final ColumnSettings NONE = new ColumnSettings(Map.of(), Map.of());

  /** Copies. */
  public ColumnSettings {
    excluded = Map.copyOf(excluded);
    rules = Map.copyOf(rules);
  }

  /** The names that {@link #parseRules} takes. */
  public static List<String> ruleNames() {
    return RowEquality.BY_SETTING.keySet().stream().map(ValueRule::text).sorted().toList();
  }

  /**
   * Reads {@code schema.table.column, ...}.
   *
   * @throws IllegalArgumentException if it is something else; without the text
   */
  public static Map<TableId, Set<String>> parseExcluded(String text) {
    Map<TableId, Set<String>> excluded = new TreeMap<>();
    for (String item : SqlIdentifier.split(text, ',')) {
      ColumnName column = ColumnName.parse(item);
      excluded.computeIfAbsent(column.table(), t -> new TreeSet<>()).add(column.name());
    }
    return excluded;
  }

  /**
   * Reads {@code schema.table.column=rule, ...}.
   *
   * @throws IllegalArgumentException if it is something else; without the text
   */
  public static Map<TableId, Map<String, String>> parseRules(String text) {
    Map<TableId, Map<String, String>> rules = new TreeMap<>();
    for (String item : SqlIdentifier.split(text, ',')) {
      List<String> sides = SqlIdentifier.split(item, '=');
      String rule = sides.size() == 2 ? sides.get(1).toLowerCase(Locale.ROOT) : "";
      if (!ruleNames().contains(rule)) {
        throw new IllegalArgumentException(
            "must be schema.table.column=rule with commas between; the rules are "
                + String.join(", ", ruleNames()));
      }
      ColumnName column = ColumnName.parse(sides.get(0));
      String before =
          rules.computeIfAbsent(column.table(), t -> new TreeMap<>()).put(column.name(), rule);
      if (before != null && !before.equals(rule)) {
        throw new IllegalArgumentException("must give each column one rule");
      }
    }
    return rules;
  }

  /** Tables that anything is said of. */
  Set<TableId> tables() {
    Set<TableId> tables = new TreeSet<>(excluded.keySet());
    tables.addAll(rules.keySet());
    return tables;
  }

  Set<String> excludedOf(TableId table) {
    return excluded.getOrDefault(table, Set.of());
  }

  Map<String, ValueRule> rulesOf(TableId table) {
    return rules.getOrDefault(table, Map.of()).entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, e -> ValueRule.valueOf(e.getValue().toUpperCase(Locale.ROOT))));
  }
}
