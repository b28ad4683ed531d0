package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RowAccess.Opening;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes a plan from what the two catalogs say. Pure. */
final class TablePlanner {

  private static final Set<String> INTEGERS = Set.of("int2", "int4", "int8");

  private final TableId table;
  private final List<String> keyColumns;
  private final RowSettings settings;

  TablePlanner(TableId table, List<String> keyColumns, RowSettings settings) {
    this.table = table;
    this.keyColumns = keyColumns;
    this.settings = settings;
  }

  Opening plan(Optional<SideCatalog> source, Optional<SideCatalog> target) {
    if (source.isEmpty()) {
      return new Opening.Unavailable(
          IncompleteReason.SOURCE_TABLE_MISSING, "the source has no table " + table);
    }
    // What is not replicated is not missing on the target either.
    Optional<Opening> noTable = unsupported(source.get());
    if (noTable.isPresent()) {
      return noTable.get();
    }
    Optional<TableId> there = settings.names().table(table);
    if (there.isEmpty()) {
      return new Opening.Unavailable(
          IncompleteReason.NOT_COMPARABLE, settings.names().whyNone(table));
    }
    if (target.isEmpty()) {
      return new Opening.Unavailable(
          IncompleteReason.TARGET_TABLE_MISSING,
          "the target has no table "
              + named(there.get())
              + "; create it there (pg_dump --schema-only --table='"
              + table.sql()
              + "' on the source prints how)");
    }
    Optional<Opening> refused =
        unsupported(target.get())
            .or(() -> unreadable(source.get()))
            .or(() -> unreadable(target.get()))
            .or(() -> withoutKey(source.get()))
            .or(this::keyBySetting)
            .or(() -> missingColumns(source.get(), target.get()));
    return refused.orElseGet(() -> compare(source.get(), target.get()));
  }

  private Opening compare(SideCatalog source, SideCatalog target) {
    Map<String, ValueRule> given = settings.columns().rulesOf(table);
    boolean encodings = !source.encoding().equals(target.encoding());
    Map<String, RulePair> compared = new LinkedHashMap<>();
    List<String> notCompared = new ArrayList<>();
    for (CatalogColumn column : sortedComparable(source)) {
      CatalogColumn other = target.column(column.name()).orElseThrow();
      ValueRule rule = given.get(column.name());
      Optional<RulePair> pair =
          rule == null
              ? RulePair.of(column.shape(), other.shape(), encodings)
              : RulePair.given(rule, column.shape(), other.shape(), encodings);
      boolean money = SideCatalog.sameMoney(source, column.shape(), target, other.shape());
      pair = money ? pair : Optional.empty();
      boolean key = keyColumns.contains(column.name());
      if (key && (pair.isEmpty() || !pair.get().fitsKey(column, other))) {
        return new Opening.Unavailable(
            IncompleteReason.NOT_COMPARABLE,
            "key column "
                + display(column.name())
                + " of "
                + table
                + " is "
                + column.declared()
                + " on the source and "
                + other.declared()
                + " on the target: its values cannot be looked up there; give both one type, of"
                + " values that can");
      }
      if (pair.isPresent()) {
        compared.put(column.name(), pair.get());
      } else {
        notCompared.add(
            display(column.name())
                + ": "
                + column.declared()
                + " on the source, "
                + other.declared()
                + " on the target"
                + (money ? "" : ", with another number of decimals (lc_monetary)")
                + (rule == null || !money
                    ? ""
                    : ", which the rule " + rule.text() + " does not take"));
      }
    }
    List<String> onlyOnTarget =
        Stream.concat(
                target.columns().stream()
                    .filter(column -> source.column(column.name()).isEmpty())
                    .map(CatalogColumn::own),
                target.unpaired().stream().map(CatalogColumn::own))
            .toList();
    return new Opening.Ready(
        new PlannedTable(
            table,
            keyColumns,
            compared,
            notCompared,
            named(source, settings.columns().excludedOf(table)::contains),
            named(
                source,
                column -> !keyColumns.contains(column) && !settings.published(table, column)),
            onlyOnTarget,
            side(source, compared, RulePair::source, hasApp(source)),
            side(target, compared, RulePair::target, false)));
  }

  private SidePlan side(
      SideCatalog catalog,
      Map<String, RulePair> compared,
      java.util.function.Function<RulePair, ValueForm> pick,
      boolean app) {
    List<ValueForm> forms = compared.values().stream().map(pick).toList();
    List<String> values = new ArrayList<>();
    compared.forEach((name, pair) -> values.add(pick.apply(pair).rule().sql(catalog.sql(name))));
    if (app) {
      values.add(catalog.sql(settings.appColumn()));
    }
    Optional<String> filter =
        catalog.side() == Side.SOURCE
            ? Optional.ofNullable(settings.rowFilters().get(table))
            : Optional.empty();
    String relation = catalog.relation(filter);
    List<ColumnType> types = new ArrayList<>();
    compared.forEach(
        (name, pair) ->
            types.add(
                RowSize.fetched(
                    catalog.column(name).orElseThrow().shape(), pick.apply(pair).rule())));
    return new SidePlan(
        catalog,
        relation,
        new LookupSql(relation, catalog, keyColumns).bounded(types, values),
        forms,
        app,
        types.stream().anyMatch(RowSize::mayBeLong),
        filter.isPresent());
  }

  private List<CatalogColumn> sortedComparable(SideCatalog source) {
    return source.columns().stream()
        .filter(column -> compared(column.name()))
        .sorted((a, b) -> RowHasher.compareNames(a.name(), b.name()))
        .toList();
  }

  private boolean compared(String column) {
    return keyColumns.contains(column) || settings.takesPart(table, column);
  }

  private static List<String> named(SideCatalog source, Predicate<String> which) {
    return source.columns().stream()
        .map(CatalogColumn::name)
        .filter(which)
        .map(TablePlanner::display)
        .toList();
  }

  /** The key of changes need not be the one that the start looked at. */
  private Optional<Opening> keyBySetting() {
    return keyBySetting(ColumnSettings.EXCLUDE, settings.columns().excludedOf(table))
        .or(() -> keyBySetting(ColumnSettings.RULES, settings.columns().rulesOf(table).keySet()));
  }

  private Optional<Opening> keyBySetting(String setting, Set<String> columns) {
    return keyColumns.stream()
        .filter(columns::contains)
        .findFirst()
        .map(
            column ->
                new Opening.Unavailable(
                    IncompleteReason.NOT_COMPARABLE,
                    setting
                        + " names "
                        + display(column)
                        + " of "
                        + table
                        + ", which is part of the key: remove it there"));
  }

  private boolean hasApp(SideCatalog source) {
    return source
        .column(settings.appColumn())
        .filter(column -> column.type().builtIn() && INTEGERS.contains(column.type().name()))
        .isPresent();
  }

  private Optional<Opening> unsupported(SideCatalog catalog) {
    String kind =
        switch (catalog.kind()) {
          case 'r', 'p' -> null;
          case 'v' -> "a view";
          case 'm' -> "a materialized view";
          case 'f' -> "a foreign table";
          case 'F' -> "a partitioned table of which partitions are foreign tables";
          default -> "no table";
        };
    return Optional.ofNullable(kind)
        .map(
            word ->
                new Opening.Skipped(
                    "unsupported_relation",
                    named(catalog.table())
                        + " is "
                        + word
                        + " on the "
                        + catalog.side().text()
                        + ": only tables have row versions to compare"));
  }

  private Optional<Opening> unreadable(SideCatalog catalog) {
    IncompleteReason reason = JdbcRowAccess.readFailed(catalog.side());
    String side = catalog.side().text();
    return switch (catalog.access()) {
      case READABLE -> Optional.empty();
      case NO_PRIVILEGE ->
          Optional.of(
              new Opening.Unavailable(
                  reason,
                  "our role may not read "
                      + named(catalog.table())
                      + " on the "
                      + side
                      + "; run there: GRANT USAGE"
                      + " ON SCHEMA "
                      + SqlIdentifier.quoted(catalog.table().schema())
                      + " TO <role>; GRANT"
                      + " SELECT ON "
                      + catalog.table().sql()
                      + " TO <role>;"));
      case ROWS_HIDDEN ->
          Optional.of(
              new Opening.Unavailable(
                  reason,
                  "row-level security hides rows of "
                      + named(catalog.table())
                      + " on the "
                      + side
                      + " from our role, so absence proves nothing; run there: ALTER ROLE <role>"
                      + " BYPASSRLS;"));
    };
  }

  private Optional<Opening> withoutKey(SideCatalog source) {
    if (source.usableKey(keyColumns).isPresent()) {
      return Optional.empty();
    }
    String candidates =
        source.uniqueIndexes().stream()
            .map(
                index ->
                    display(index.name())
                        + ' '
                        + index.unusable().orElse("has other columns than the changes' key"))
            .collect(Collectors.joining("; "));
    return Optional.of(
        new Opening.Skipped(
            "no_usable_key",
            "the source table "
                + table
                + " has no valid, immediate, complete unique index of NOT NULL columns"
                + (keyColumns.isEmpty()
                    ? ""
                    : " over exactly the key " + SqlIdentifier.list(keyColumns))
                + (candidates.isEmpty() ? "" : " (" + candidates + ")")));
  }

  private Optional<Opening> missingColumns(SideCatalog source, SideCatalog target) {
    List<CatalogColumn> missing =
        source.columns().stream()
            .filter(column -> compared(column.name()) && target.column(column.name()).isEmpty())
            .toList();
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Opening.Unavailable(
            IncompleteReason.TARGET_COLUMN_MISSING,
            "the target table "
                + named(target.table())
                + " lacks "
                + SqlIdentifier.list(missing.stream().map(this::there).toList())
                + "; "
                + wayOut(missing, target)));
  }

  private String there(CatalogColumn column) {
    return settings.names().column(table, column.name());
  }

  private String wayOut(List<CatalogColumn> missing, SideCatalog target) {
    Set<String> taken =
        target.columns().stream().map(CatalogColumn::own).collect(Collectors.toSet());
    List<String> given = missing.stream().map(this::there).filter(taken::contains).toList();
    if (!given.isEmpty()) {
      return "its "
          + SqlIdentifier.list(given)
          + " stands for another column by "
          + TargetNames.COLUMNS
          + ": say there what stands for "
          + SqlIdentifier.list(missing.stream().map(CatalogColumn::name).toList());
    }
    return missing.stream()
        .map(c -> "ADD COLUMN " + SqlIdentifier.quoted(there(c)) + ' ' + c.declared())
        .collect(
            Collectors.joining(", ", "run there: ALTER TABLE " + target.table().sql() + ' ', ";"));
  }

  /** A side's table, and the source's name where that is another. */
  private String named(TableId own) {
    return own.equals(table) ? own.display() : own + " (" + table + " on the source)";
  }

  private static String display(String column) {
    return SqlIdentifier.display(column);
  }
}
