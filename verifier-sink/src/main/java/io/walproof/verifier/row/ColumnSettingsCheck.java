package io.walproof.verifier.row;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseException;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.TargetNamesCheck.Problem;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Holds {@link ColumnSettings} against both catalogs, so that a mistyped name never passes for a
 * column that is left out.
 */
public final class ColumnSettingsCheck {

  private final CheckedCatalogs catalogs;
  private final ColumnSettings settings;

  private ColumnSettingsCheck(CheckedCatalogs catalogs, ColumnSettings settings) {
    this.catalogs = catalogs;
    this.settings = settings;
  }

  /**
   * Refuses settings that do not fit.
   *
   * @throws DatabaseException if a table or column is not there, a key column is to be left out, or
   *     a rule does not take a column's types; the message names it and the way out
   */
  public static void require(Database source, Database target, RowSettings rows, Time time) {
    find(source, target, rows, time)
        .ifPresent(
            problem -> {
              throw new DatabaseException(problem.text());
            });
  }

  /**
   * The first thing that does not fit.
   *
   * @throws DatabaseException if a side cannot be read
   */
  public static Optional<Problem> find(
      Database source, Database target, RowSettings rows, Time time) {
    ColumnSettingsCheck check =
        new ColumnSettingsCheck(
            new CheckedCatalogs(source, target, rows.names(), time), rows.columns());
    try {
      rows.columns().tables().forEach(check::table);
      return Optional.empty();
    } catch (Misfit e) {
      return Optional.of(e.problem);
    }
  }

  /** Carries what does not fit. */
  private static final class Misfit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    private Misfit(Problem problem) {
      super(problem.text());
      this.problem = problem;
    }
  }

  private void table(TableId table) {
    Set<String> excluded = settings.excludedOf(table);
    Map<String, ValueRule> rules = settings.rulesOf(table);
    String key = excluded.isEmpty() ? ColumnSettings.RULES : ColumnSettings.EXCLUDE;
    SideCatalog here =
        catalogs
            .table(Side.SOURCE, table)
            .orElseThrow(
                () -> refused(key, "a table that the source does not have: " + table.display()));
    for (String column : excluded) {
      String name = name(table, column);
      if (here.column(column).isEmpty()) {
        throw refused(ColumnSettings.EXCLUDE, "a column that the source does not have: " + name);
      }
      if (rules.containsKey(column)) {
        throw refused(
            ColumnSettings.EXCLUDE, name + ", which " + ColumnSettings.RULES + " gives a rule");
      }
      if (isKey(here, column)) {
        throw refused(ColumnSettings.EXCLUDE, name + ", which is part of the table's key");
      }
    }
    Optional<SideCatalog> there =
        rules.isEmpty() ? Optional.empty() : catalogs.table(Side.TARGET, table);
    rules.forEach((column, rule) -> rule(table, column, rule, here, there));
  }

  private static void rule(
      TableId table, String column, ValueRule rule, SideCatalog here, Optional<SideCatalog> there) {
    String name = name(table, column);
    CatalogColumn from =
        here.column(column)
            .orElseThrow(
                () ->
                    refused(
                        ColumnSettings.RULES, "a column that the source does not have: " + name));
    if (isKey(here, column)) {
      throw refused(ColumnSettings.RULES, name + ", which is part of the table's key");
    }
    // A table or column that the target lacks is reported where it is checked.
    there
        .flatMap(catalog -> catalog.column(column))
        .filter(to -> RulePair.given(rule, from.shape(), to.shape(), false).isEmpty())
        .ifPresent(
            to -> {
              throw refused(
                  ColumnSettings.RULES,
                  name
                      + ": the rule "
                      + rule.text()
                      + " does not take "
                      + from.declared()
                      + " on the source and "
                      + to.declared()
                      + " on the target");
            });
  }

  /** Of the primary key, or of the one unique index that could stand for it. */
  private static boolean isKey(SideCatalog catalog, String column) {
    return RangePlanner.key(catalog).filter(index -> index.has(column)).isPresent();
  }

  private static String name(TableId table, String column) {
    return new ColumnName(table, column).display();
  }

  private static Misfit refused(String key, String what) {
    return new Misfit(new Problem(key, key + " names " + what + ". Mend or remove it there."));
  }
}
