package io.walproof.standalone.repair;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.standalone.repair.ConfirmedFailures.Failure;
import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseIdentity;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.AuditedDatabases;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.range.Route;
import io.walproof.verifier.range.RouteReader;
import io.walproof.verifier.replay.ReplayConfirmation;
import io.walproof.verifier.replay.ReplayConfirmations;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RepairRow;
import io.walproof.verifier.row.RepairRows;
import io.walproof.verifier.row.RowAccess.Opening;
import io.walproof.verifier.row.RowAccesses;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads confirmed failures afresh on both sides and writes statements for those that still are. */
public final class RepairExport {

  private static final int ROWS_AT_ONCE = 100;

  private final VerifierSettings settings;
  private final RepairScope scope;
  private final Time time;
  private final ReplayConfirmation replay;
  private final Instant until;
  private final List<String> transactions = new ArrayList<>();
  private final List<String> comments = new ArrayList<>();
  private int exported;
  private int gone;
  private int open;

  /** Why replay could not be confirmed once: it is not waited for again. */
  private Optional<String> notReplayed = Optional.empty();

  private RepairExport(
      VerifierSettings settings,
      RepairScope scope,
      Time time,
      ReplayConfirmation replay,
      Instant until) {
    this.settings = settings;
    this.scope = scope;
    this.time = time;
    this.replay = replay;
    this.until = until;
  }

  /**
   * The script, and what became of the failures.
   *
   * @param lines the script's lines; they hold row values
   * @param exported failures with a statement
   * @param gone failures that are none any more: both rows are equal, or both are gone
   * @param open failures without a statement, each with its reason in the script
   */
  public record Result(List<String> lines, int exported, int gone, int open) {
    /** Copies. */
    public Result {
      lines = List.copyOf(lines);
    }

    /** The counts only. */
    @Override
    public String toString() {
      return "Result[" + exported + ", " + gone + ", " + open + "]";
    }
  }

  /**
   * Makes the script. Reads on both sides, and marks the source's WAL as a run does, to confirm
   * that the target has replayed what was read.
   *
   * @param validFor for how long the statements may be run
   * @param acceptUnknown whether failures of runs count that do not say of which databases they are
   * @throws io.walproof.verifier.audit.AuditException if the audit is of other databases
   * @throws io.walproof.verifier.replay.ConfirmationException if replay cannot be confirmed at all
   * @throws io.walproof.verifier.database.DatabaseException if a database cannot be used
   * @throws io.walproof.verifier.range.RangeException if it cannot be found out what the pipeline
   *     carries
   */
  public static Result of(
      VerifierSettings settings,
      ConfirmedFailures failures,
      Duration validFor,
      boolean acceptUnknown,
      Time time) {
    try (Database source = Databases.open(settings.source(), time);
        Database target = Databases.open(settings.target(), time)) {
      Cancellation never = new Cancellation();
      DatabaseIdentity sourceIdentity = Databases.check(source, time, never);
      DatabaseIdentity targetIdentity = Databases.check(target, time, never);
      Databases.requireDistinct(sourceIdentity, targetIdentity);
      RepairOrigin.require(
          failures.failures(),
          new AuditedDatabases(sourceIdentity.forAudit(), targetIdentity.forAudit()),
          acceptUnknown);
      Route route =
          RouteReader.read(
              source, target, settings.route(), time, Deadline.in(time, bound(settings)), never);
      RepairRows rows =
          RowAccesses.createRepairs(
              source,
              target,
              settings.rows().publishing(route.columnLists(), route.rowFilters()),
              time);
      try (ReplayConfirmation replay =
          ReplayConfirmations.create(settings.confirmation(), source, target, time, never)) {
        RepairExport export =
            new RepairExport(
                settings, new RepairScope(route), time, replay, time.now().plus(validFor));
        byTable(failures).values().forEach(group -> export.table(rows, group));
        return export.result();
      }
    }
  }

  /** Rows of one table whose keys have the same columns. */
  private record Group(TableId table, List<String> columns) {}

  private static Map<Group, List<Failure>> byTable(ConfirmedFailures failures) {
    Map<Group, List<Failure>> groups = new LinkedHashMap<>();
    for (Failure failure : failures.failures()) {
      groups
          .computeIfAbsent(
              new Group(failure.table(), failure.key().names()), any -> new ArrayList<>())
          .add(failure);
    }
    return groups;
  }

  private void table(RepairRows rows, List<Failure> failures) {
    Cancellation never = new Cancellation();
    Failure first = failures.get(0);
    Optional<String> refused = scope.refused(first.table());
    if (refused.isPresent()) {
      failures.forEach(failure -> leaveOpen(failure, refused.get()));
      return;
    }
    Opening opening = rows.open(first.table(), first.key().names(), deadline(), never);
    if (!(opening instanceof Opening.Ready ready)) {
      String why =
          opening instanceof Opening.Unavailable unavailable
              ? unavailable.detail()
              : ((Opening.Skipped) opening).detail();
      failures.forEach(failure -> leaveOpen(failure, why));
      return;
    }
    for (int from = 0; from < failures.size(); from += ROWS_AT_ONCE) {
      List<Failure> part = failures.subList(from, Math.min(failures.size(), from + ROWS_AT_ONCE));
      List<RowKey> keys = part.stream().map(Failure::key).toList();
      RepairRows.Reading reading =
          rows.read(ready.plan(), keys, () -> replayed(first.table()), this::deadline, never);
      for (int i = 0; i < part.size(); i++) {
        if (reading instanceof RepairRows.Reading.Rows read) {
          judge(part.get(i), read.rows().get(i));
        } else {
          leaveOpen(part.get(i), ((RepairRows.Reading.Failed) reading).detail());
        }
      }
    }
  }

  /** Confirms that nothing is in flight of what was committed on the source so far. */
  private Optional<String> replayed(TableId table) {
    if (notReplayed.isEmpty()) {
      Cancellation never = new Cancellation();
      ReplayConfirmation.Emission emission = replay.emit(deadline(), never);
      if (emission instanceof ReplayConfirmation.Emission.Emitted emitted) {
        ReplayConfirmation.Result result =
            replay.await(
                emitted.boundary(),
                Set.of(table),
                Deadline.in(time, settings.limits().replayTimeout()),
                never);
        if (result instanceof ReplayConfirmation.Result.Confirmed confirmed) {
          return confirmed.notReplicated().contains(table)
              ? Optional.of("the subscription does not carry the table, or still copies it")
              : Optional.empty();
        }
        notReplayed = Optional.of(((ReplayConfirmation.Result.NotConfirmed) result).detail());
      } else {
        notReplayed = Optional.of(((ReplayConfirmation.Emission.Failed) emission).detail());
      }
    }
    return notReplayed.map(
        why -> "replay of what was read now is not confirmed, a change may be in flight: " + why);
  }

  private Deadline deadline() {
    return Deadline.in(time, bound(settings));
  }

  private static Duration bound(VerifierSettings settings) {
    Duration each = settings.source().statementTimeout().plus(settings.target().statementTimeout());
    return each.multipliedBy(2);
  }

  private void judge(Failure failure, Optional<RepairRow> read) {
    if (read.isEmpty()) {
      leaveOpen(failure, "a row changed while it was read; try again");
      return;
    }
    RepairRow row = read.get();
    if (row.source() instanceof KeyRead.Unreadable unreadable) {
      leaveOpen(failure, unreadable.detail());
    } else if (row.target() instanceof KeyRead.Unreadable unreadable) {
      leaveOpen(failure, unreadable.detail());
    } else if (row.source() instanceof KeyRead.NotFound && row.target() instanceof KeyRead.Found) {
      leaveOpen(
          failure,
          "only the target has the row, the source has none or the publication's row filter leaves"
              + " it out; nothing is deleted by this");
    } else if (row.source() instanceof KeyRead.NotFound) {
      gone++;
      comments.add(
          RepairScript.leftOut(
              failure,
              "the target has no such row, and the source has none either, or the publication's"
                  + " row filter leaves it out"));
    } else if (isEqual(row)) {
      gone++;
      comments.add(RepairScript.leftOut(failure, "both sides are equal now"));
    } else if (!version(row.target()).equals(failure.judgedVersion())) {
      leaveOpen(
          failure,
          "the target row changed after it was judged"
              + failure.later().map(outcome -> ", and was " + outcome + " later").orElse("")
              + "; let Walproof check it again (verify-range)");
    } else if (row.condition().isEmpty()) {
      leaveOpen(failure, "the target's key columns are of a type that cannot hold this key");
    } else if (row.target() instanceof KeyRead.Found && !row.fixed().isEmpty()) {
      leaveOpen(
          failure, String.join(", ", row.fixed()) + ", which no update can set; repair it by hand");
    } else {
      exported++;
      transactions.addAll(RepairScript.transaction(failure, row, until));
    }
  }

  private static boolean isEqual(RepairRow row) {
    return row.source() instanceof KeyRead.Found here
        && row.target() instanceof KeyRead.Found there
        && here.hash().equals(there.hash());
  }

  private static Optional<String> version(KeyRead read) {
    return read instanceof KeyRead.Found found
        ? Optional.of(Long.toString(found.xmin()))
        : Optional.empty();
  }

  private void leaveOpen(Failure failure, String why) {
    open++;
    comments.add(RepairScript.leftOut(failure, why));
  }

  private Result result() {
    List<String> lines =
        new ArrayList<>(
            RepairScript.heading(
                time.now(),
                until,
                settings.source().safeUrl(),
                settings.target().safeUrl(),
                exported));
    if (!comments.isEmpty()) {
      lines.add("");
      lines.addAll(comments);
    }
    lines.addAll(transactions);
    return new Result(lines, exported, gone, open);
  }
}
