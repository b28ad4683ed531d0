package io.walproof.verifier.model;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the audit file and the verify topic record. Hashes and keys, never values of other columns.
 * Equal first reads ({@code matched}) are counted in summaries and leave no entry of their own.
 */
public sealed interface AuditEntry {

  /** Which kind of check an entry belongs to. */
  enum Stratum {
    CDC,
    RANGE
  }

  /**
   * The run's scope, so that a verdict can be read with what it covers.
   *
   * @param rulesVersion the row equality rules' version
   * @param confirmation the replay confirmation strategy in force
   * @param ignoredApps the ids of ignored applications, sorted
   * @param scope further settings that limit what is judged, by configuration key; no secrets
   * @param databases of which the verdicts speak, empty where that is not known
   */
  record RunStart(
      int rulesVersion,
      String confirmation,
      List<Long> ignoredApps,
      Map<String, String> scope,
      Optional<AuditedDatabases> databases)
      implements AuditEntry {
    /** Copies. */
    public RunStart {
      ignoredApps = List.copyOf(ignoredApps);
      scope = Map.copyOf(scope);
    }
  }

  /**
   * A mismatch at the first read, deferred for its one recheck.
   *
   * @param stratum which kind of check
   * @param table the table
   * @param key the key
   * @param columns the columns that differ; empty when the target row was absent
   * @param source the first source read (S0)
   * @param target the first target read (T0)
   * @param shape the shape of the change that named the key, if it had one
   */
  record Observation(
      Stratum stratum,
      TableId table,
      RowKey key,
      List<String> columns,
      RowSnapshot source,
      RowSnapshot target,
      Optional<ShapeHash> shape)
      implements AuditEntry {
    /** Copies. */
    public Observation {
      columns = List.copyOf(columns);
    }
  }

  /**
   * The end of a key check that did not simply match.
   *
   * @param stratum which kind of check
   * @param table the table
   * @param key the key
   * @param verdict how it ended
   * @param columns the columns that differ between the recheck's last source read and its target
   *     read; empty where there is nothing to compare
   * @param sourceChanged whether the source row changed since the first read
   * @param originalSource S0, empty when it could not be read
   * @param originalTarget T0, empty when it could not be read
   * @param source S1, empty when it was not read
   * @param target T, empty when it was not read
   * @param sourceAfter S2, empty when it was not read
   * @param boundary the boundary that replay had to pass, empty when none was emitted
   * @param shape the shape of the change that named the key, if it had one
   * @param detail a sentence about a failure, without row values; empty if there is none
   */
  record Decision(
      Stratum stratum,
      TableId table,
      RowKey key,
      Verdict verdict,
      List<String> columns,
      boolean sourceChanged,
      Optional<RowSnapshot> originalSource,
      Optional<RowSnapshot> originalTarget,
      Optional<RowSnapshot> source,
      Optional<RowSnapshot> target,
      Optional<RowSnapshot> sourceAfter,
      Optional<Lsn> boundary,
      Optional<ShapeHash> shape,
      Optional<String> detail)
      implements AuditEntry {
    /** Copies. */
    public Decision {
      columns = List.copyOf(columns);
    }
  }

  /**
   * A drift event or a gap.
   *
   * @param event the event
   */
  record Drift(DriftEvent event) implements AuditEntry {}

  /**
   * A range check's beginning: the claim and how it is checked.
   *
   * @param table the table
   * @param origin who claims, such as {@code request} or {@code snapshot_cursor}
   * @param from the first key of the range; empty for the table's first row
   * @param fromInclusive whether {@code from} belongs to it
   * @param to the last key; empty for the table's last row
   * @param toInclusive whether {@code to} belongs to it
   * @param pairing how counterparts are found, {@code by_order} or {@code by_lookup}
   * @param digestVersion the row digests' version
   * @param resumed whether an earlier run's proofs are taken over
   * @param narrowed whether columns or rows of the table are left out, so that it proves no table
   */
  record RangeStart(
      TableId table,
      String origin,
      Optional<RowKey> from,
      boolean fromInclusive,
      Optional<RowKey> to,
      boolean toInclusive,
      String pairing,
      int digestVersion,
      boolean resumed,
      boolean narrowed)
      implements AuditEntry {}

  /**
   * That all tables are looked at, after the checks of all had been given up: each of them has an
   * end of its own from now on.
   *
   * @param origin why, such as {@code resume} or {@code schedule}
   * @param tables how many tables are checked
   */
  record RangesStart(String origin, int tables) implements AuditEntry {}

  /**
   * A range check's end. The rows that failed have decisions of their own.
   *
   * @param table the table; empty where the checks of all tables were given up before any of them
   *     was looked at
   * @param outcome {@code proved}, {@code failed}, {@code incomplete} or {@code skipped}
   * @param strength {@code live} or {@code exact}; empty if nothing was read
   * @param rows source rows that were read
   * @param chunksEqual chunks whose digests were equal
   * @param chunksDiffering chunks whose rows were compared
   * @param keys rows that went through the key checks, by outcome as in {@link Coverage#outcomes()}
   * @param targetOnly rows that only the target has
   * @param targetOnlyKeys the first of their keys
   * @param coveredTo the last key that was covered, if the range's end was not reached
   * @param detail a sentence for people, without row values; empty if there is none
   */
  record RangeEnd(
      Optional<TableId> table,
      String outcome,
      Optional<String> strength,
      long rows,
      long chunksEqual,
      long chunksDiffering,
      Map<String, Long> keys,
      long targetOnly,
      List<RowKey> targetOnlyKeys,
      Optional<RowKey> coveredTo,
      Optional<String> detail)
      implements AuditEntry {
    /** Copies. */
    public RangeEnd {
      keys = Map.copyOf(keys);
      targetOnlyKeys = List.copyOf(targetOnlyKeys);
    }

    /** Of a check that read nothing. */
    public static RangeEnd unread(
        Optional<TableId> table, String outcome, Optional<String> detail) {
      return new RangeEnd(
          table,
          outcome,
          Optional.empty(),
          0,
          0,
          0,
          Map.of(),
          0,
          List.of(),
          Optional.empty(),
          detail);
    }
  }

  /**
   * The counts so far, which always add up (invariant I).
   *
   * @param total over all tables
   * @param tables per table
   * @param verdictsAfter of the tables with a gap in this run, up to where changes may be missing:
   *     the verdicts speak of what was changed after it
   * @param columns of the tables whose changed keys were read, what the verdicts do not cover
   */
  record Summary(
      Coverage total,
      Map<TableId, Coverage> tables,
      Map<TableId, Lsn> verdictsAfter,
      Map<TableId, ColumnsLeftOut> columns)
      implements AuditEntry {
    /** Copies. */
    public Summary {
      tables = Map.copyOf(tables);
      verdictsAfter = Map.copyOf(verdictsAfter);
      columns = Map.copyOf(columns);
    }
  }

  /**
   * The run's end.
   *
   * @param reason why it ended, such as {@code stopped}, {@code idle}, {@code failed}
   * @param total the final counts
   * @param exitStatus the process's exit status, empty where there is no process of its own
   */
  record RunEnd(String reason, Coverage total, OptionalLong exitStatus) implements AuditEntry {}
}
