package io.walproof.verifier.preflight;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.contract.finding.Check;
import io.walproof.contract.finding.Finding;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.range.PublishedRows;
import io.walproof.verifier.range.RouteNames;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.row.RowAccess.Opening;
import io.walproof.verifier.row.RowSettings;
import io.walproof.verifier.row.TablePlan;
import io.walproof.verifier.row.TargetNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Plans each table's comparison exactly as a run does, so that both always agree. Belongs to one
 * thread.
 */
public final class TableFindings {

  private static final Duration ONE_TABLE = Duration.ofSeconds(30);
  private static final Duration PROGRESS = Duration.ofSeconds(5);

  private final Database source;
  private final Database target;
  private final RowSettings rows;
  private final RouteNames route;
  private final Time time;
  private final Cancellation cancel = new Cancellation();
  private final List<Finding> findings = new ArrayList<>();
  private final List<TableId> keyless = new ArrayList<>();
  private Deadline within;

  /**
   * Findings of one look.
   *
   * @param source where the tables' changes come from
   * @param target where they go
   * @param rows how a run compares them
   * @param route what says what the pipeline carries
   */
  public TableFindings(
      Database source, Database target, RowSettings rows, RouteNames route, Time time) {
    this.source = source;
    this.target = target;
    this.rows = rows;
    this.route = route;
    this.time = time;
  }

  /**
   * Looks at the tables; one line for all that are well, and one for all that were not reached.
   *
   * @param within no table is begun later
   * @param progress is told what takes long
   */
  public List<Finding> of(List<TableId> tables, Deadline within, Consumer<String> progress) {
    this.within = within;
    int looked = 0;
    int well = 0;
    long told = time.nanoTime();
    try (RowAccess access = PublishedRows.create(source, target, rows, route, time)) {
      while (looked < tables.size() && !within.hasPassed()) {
        if (time.nanoTime() - told >= PROGRESS.toNanos()) {
          told = time.nanoTime();
          progress.accept("looking at table " + (looked + 1) + " of " + tables.size());
        }
        if (isWell(access, tables.get(looked))) {
          well++;
        }
        looked++;
      }
    }
    if (!keyless.isEmpty()) {
      findings.add(0, Finding.keyless(keyless));
    }
    if (well > 0) {
      findings.add(
          0,
          Finding.ok(Check.TABLE, well + " of " + looked + " tables can be compared completely"));
    }
    if (looked < tables.size()) {
      findings.add(
          Finding.warning(
              Check.TABLE,
              (tables.size() - looked)
                  + " of "
                  + tables.size()
                  + " tables were not looked at, as it took too long; each is at its first key"));
    }
    return findings;
  }

  private boolean isWell(RowAccess access, TableId table) {
    Outcome<List<String>> key = ask(source, session -> SourceKeysOf.read(session, table));
    if (key instanceof Outcome.Done<List<String>> done) {
      if (done.value().isEmpty()) {
        keyless.add(table);
        return false;
      }
      return planned(access, table, done.value());
    }
    findings.add(
        Finding.failure(Check.TABLE, table + ": " + ((Outcome.Failed<List<String>>) key).detail()));
    return false;
  }

  private <T> Outcome<T> ask(Database database, Transactions.Work<T> question) {
    return new Transactions(database, time)
        .run(TransactionKind.CATALOG, oneTable(), cancel, question);
  }

  private Deadline oneTable() {
    return Deadline.in(time, ONE_TABLE).earlierOf(within);
  }

  private boolean planned(RowAccess access, TableId table, List<String> key) {
    Opening opening = access.open(table, key, oneTable(), cancel);
    if (opening instanceof Opening.Unavailable unavailable) {
      findings.add(Finding.failure(Check.TABLE, unavailable.detail()));
      return false;
    }
    if (opening instanceof Opening.Skipped skipped) {
      findings.add(Finding.warning(Check.TABLE, skipped.detail()));
      return false;
    }
    TablePlan plan = ((Opening.Ready) opening).plan();
    boolean complete = plan.columnsNotCompared().isEmpty();
    if (!complete) {
      findings.add(
          Finding.warning(
              Check.TABLE,
              table
                  + ": not compared: "
                  + String.join("; ", plan.columnsNotCompared())
                  + ". Give both sides one type (ALTER TABLE "
                  + table.sql()
                  + " ALTER COLUMN ... TYPE ...), or name a rule in verify.column.rules, or leave"
                  + " the column out with verify.columns.exclude"));
    }
    return isIndexed(table, key) && complete;
  }

  private boolean isIndexed(TableId table, List<String> key) {
    TargetNames names = rows.names();
    // It was opened, so it has a counterpart.
    TableId there = names.table(table).orElseThrow();
    List<String> columns = key.stream().map(column -> names.column(table, column)).toList();
    Outcome<Boolean> indexed = ask(target, session -> TargetIndex.exists(session, there, columns));
    if (indexed instanceof Outcome.Failed<Boolean> failed) {
      findings.add(Finding.failure(Check.TARGET_INDEX, table + ": " + failed.detail()));
      return false;
    }
    if (!((Outcome.Done<Boolean>) indexed).value()) {
      findings.add(
          Finding.warning(
              Check.TARGET_INDEX,
              "the target's "
                  + there
                  + " has no index that begins with the key; run there: CREATE UNIQUE INDEX"
                  + " CONCURRENTLY ON "
                  + there.sql()
                  + " ("
                  + columns.stream().map(SqlIdentifier::quoted).collect(Collectors.joining(", "))
                  + ")"));
      return false;
    }
    return true;
  }
}
