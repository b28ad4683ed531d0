package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseException;
import io.walproof.verifier.model.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Holds {@link TargetNames} against both catalogs, so that no mistyped name goes unnoticed. */
public final class TargetNamesCheck {

  private final CheckedCatalogs catalogs;
  private final RowSettings rows;
  private final TargetNames names;
  private final List<Problem> problems = new ArrayList<>();

  private TargetNamesCheck(CheckedCatalogs catalogs, RowSettings rows) {
    this.catalogs = catalogs;
    this.rows = rows;
    this.names = rows.names();
  }

  /**
   * What does not fit.
   *
   * @param setting the configuration key
   * @param text a sentence with the way out
   */
  public record Problem(String setting, String text) {}

  /**
   * Everything that does not fit: a schema, table or column that its side does not have, or a name
   * on the target that another column of the source has too.
   *
   * @throws DatabaseException if a side cannot be read
   */
  public static List<Problem> find(Database source, Database target, RowSettings rows, Time time) {
    TargetNamesCheck check =
        new TargetNamesCheck(new CheckedCatalogs(source, target, rows.names(), time), rows);
    new TreeMap<>(rows.names().schemas()).forEach(check::schema);
    new TreeMap<>(rows.names().tables()).forEach(check::table);
    new TreeMap<>(rows.names().columns()).forEach(check::columns);
    return List.copyOf(check.problems);
  }

  /**
   * Refuses names that do not fit.
   *
   * @throws DatabaseException if {@link #find} finds anything; the message names the first
   */
  public static void require(Database source, Database target, RowSettings rows, Time time) {
    for (Problem problem : find(source, target, rows, time)) {
      throw new DatabaseException(problem.text());
    }
  }

  private void schema(String here, String there) {
    if (!catalogs.hasSchema(Side.SOURCE, here)) {
      lacking(TargetNames.SCHEMAS, "schema", Side.SOURCE, SqlIdentifier.display(here));
    }
    if (!catalogs.hasSchema(Side.TARGET, there)) {
      lacking(TargetNames.SCHEMAS, "schema", Side.TARGET, SqlIdentifier.display(there));
    }
  }

  private void table(TableId here, TableId there) {
    if (catalogs.table(Side.SOURCE, here).isEmpty()) {
      lacking(TargetNames.TABLES, "table", Side.SOURCE, here.display());
    }
    if (catalogs.table(Side.TARGET, here).isEmpty()) {
      lacking(TargetNames.TABLES, "table", Side.TARGET, there.display());
    }
  }

  private void columns(TableId table, Map<String, String> columns) {
    Optional<SideCatalog> here = catalogs.table(Side.SOURCE, table);
    if (here.isEmpty()) {
      lacking(TargetNames.COLUMNS, "table", Side.SOURCE, table.display());
      return;
    }
    Optional<TableId> there = names.table(table);
    if (there.isEmpty()) {
      add(TargetNames.COLUMNS, "names columns of " + table + ", but " + names.whyNone(table));
      return;
    }
    Optional<SideCatalog> target = catalogs.table(Side.TARGET, table);
    if (target.isEmpty()) {
      lacking(TargetNames.COLUMNS, "table", Side.TARGET, there.get().display());
      return;
    }
    new TreeMap<>(columns)
        .forEach((from, to) -> column(here.get(), target.get(), new ColumnName(table, from), to));
  }

  private void column(SideCatalog here, SideCatalog there, ColumnName from, String to) {
    if (here.column(from.name()).isEmpty()) {
      lacking(TargetNames.COLUMNS, "column", Side.SOURCE, from.display());
    }
    if (there.column(from.name()).isEmpty()) {
      lacking(
          TargetNames.COLUMNS, "column", Side.TARGET, new ColumnName(there.table(), to).display());
    }
    boolean hides =
        here.column(to).isPresent()
            && names.column(from.table(), to).equals(to)
            && !to.equals(from.name())
            && !rows.columns().excludedOf(from.table()).contains(to);
    if (hides) {
      String other = new ColumnName(from.table(), to).display();
      add(
          TargetNames.COLUMNS,
          "gives "
              + from.display()
              + " the name of "
              + other
              + ", so that nothing on the target stands for that one: name its own there, or leave"
              + " it out with "
              + ColumnSettings.EXCLUDE);
    }
  }

  private void lacking(String setting, String kind, Side side, String name) {
    add(
        setting,
        "names a "
            + kind
            + " that the "
            + side.text()
            + " does not have: "
            + name
            + ". Mend or remove it there");
  }

  private void add(String setting, String what) {
    problems.add(new Problem(setting, setting + ' ' + what + '.'));
  }
}
