package io.walproof.verifier.schedule;

import io.walproof.contract.TableId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Which tables a Debezium configuration lets through, by its own rules: lists of regular
 * expressions, without regard to case, that must match a schema's name or {@code schema.table}
 * whole; an exclude list counts only where there is no include list.
 */
public final class TableFilter {

  private final Predicate<TableId> accepts;

  private TableFilter(Predicate<TableId> accepts) {
    this.accepts = accepts;
  }

  /** By what a test says. */
  public static TableFilter of(Predicate<TableId> accepts) {
    return new TableFilter(accepts);
  }

  /**
   * By an include list, in the connector's form.
   *
   * @throws IllegalArgumentException if it holds no regular expressions
   */
  public static TableFilter including(String tables) {
    return of(Map.of("table.include.list", tables));
  }

  /**
   * By the connector's settings.
   *
   * @throws IllegalArgumentException if a list holds no regular expressions
   */
  public static TableFilter of(Map<String, String> connector) {
    Predicate<String> schemas = filter(connector, "schema.include.list", "schema.exclude.list");
    Predicate<String> tables = filter(connector, "table.include.list", "table.exclude.list");
    return new TableFilter(
        table -> schemas.test(table.schema()) && tables.test(table.schema() + '.' + table.name()));
  }

  private static Predicate<String> filter(
      Map<String, String> connector, String include, String exclude) {
    List<Pattern> included = patterns(connector.get(include));
    if (!included.isEmpty()) {
      return name -> anyMatches(included, name);
    }
    List<Pattern> excluded = patterns(connector.get(exclude));
    return name -> !anyMatches(excluded, name);
  }

  private static boolean anyMatches(List<Pattern> patterns, String name) {
    return patterns.stream().anyMatch(pattern -> pattern.matcher(name).matches());
  }

  /** A comma behind a backslash belongs to the expression. */
  private static List<Pattern> patterns(String list) {
    if (list == null || list.isBlank()) {
      return List.of();
    }
    return Arrays.stream(list.split("(?<!\\\\),", -1))
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .map(text -> pattern(text.replace("\\,", ",")))
        .toList();
  }

  private static Pattern pattern(String text) {
    try {
      return Pattern.compile(text, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "a filter list of the connector holds no regular expression: " + e.getDescription(), e);
    }
  }

  /** Whether the table is let through. */
  public boolean accepts(TableId table) {
    return accepts.test(table);
  }
}
