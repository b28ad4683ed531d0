package io.walproof.standalone.bench;

import io.walproof.connector.drift.DriftDetector;
import io.walproof.connector.drift.DriftPolicy;
import io.walproof.connector.emit.ShapeLedger;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.relation.Relation;
import io.walproof.connector.schema.HistoryLimits;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.ColumnShape;
import io.walproof.contract.Lsn;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.Shape;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.standalone.bench.Finding.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the schema history takes in each position, and what it costs a record when nothing changed.
 * Needs no server. Tables have ten columns and names of ordinary length.
 */
final class HistoryBench {

  private static final int COLUMNS = 10;
  private static final int VERSIONS = 10;

  /** Of so many tables, fewer versions tell as much. */
  private static final int MANY_TABLES = 1_000;

  private static final int FEW_VERSIONS = 3;

  /** {@code drift.history.max.bytes}. */
  private static final int DEFAULT_LIMIT = 512 * 1024;

  /** From 100 tables to 10,000; what was quadratic would have 100. */
  private static final double MOST_GROWTH = 5;

  private static final int UNLIMITED = 64 * 1024 * 1024;

  /** Of a table with ten columns: its own entry, and each older version of its shape. */
  private static final double MOST_BYTES_PER_TABLE = 500;

  private static final double MOST_BYTES_PER_VERSION = 80;
  private static final double MOST_NANOS_PER_RECORD = 1_000;

  private final Time time;
  private final Progress progress;

  HistoryBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /** Measures with 100, 1,000 and 10,000 tables, as far as they are no more than the most. */
  List<Finding> run(int mostTables, int rounds) {
    List<Finding> findings = new ArrayList<>();
    SortedMap<Integer, Double> newShapes = new TreeMap<>();
    for (int tables : new int[] {100, 1_000, 10_000}) {
      if (tables <= mostTables) {
        size(tables, findings);
        findings.add(unchanged(tables, rounds));
        newShapes.put(tables, newShape(tables, rounds));
      }
    }
    if (newShapes.size() > 1) {
      progress.say("history: us for a new table, by tables: %s", newShapes);
      findings.add(
          new GrowthCurve(Bench.HISTORY, "a new table in the history", "us", MOST_GROWTH)
              .judge(newShapes));
    }
    return findings;
  }

  /** Microseconds for the first change of one more table, from none to so many, as by default. */
  private double newShape(int tables, int rounds) {
    List<Relation> relations = relations(tables, 0);
    int repeats = Math.max(1, MANY_TABLES / tables);
    List<Double> micros = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      long began = time.nanoTime();
      for (int repeat = 0; repeat < repeats; repeat++) {
        deliver(ledger(DEFAULT_LIMIT), relations, 1);
      }
      if (round > 0) {
        micros.add((time.nanoTime() - began) / 1e3 / repeats / tables);
      }
    }
    return new Sample("us", micros).median();
  }

  private void size(int tables, List<Finding> findings) {
    ShapeLedger ledger = ledger(UNLIMITED);
    long started = time.nanoTime();
    long change = deliver(ledger, tables, 0, 1);
    double first = ledger.history().json().length();
    double micros = (time.nanoTime() - started) / 1e3 / tables;
    int versions = tables > MANY_TABLES ? FEW_VERSIONS : VERSIONS;
    for (int version = 1; version < versions; version++) {
      change = deliver(ledger, tables, version, change);
    }
    double all = ledger.history().json().length();
    ShapeLedger limited = ledger(DEFAULT_LIMIT);
    deliver(limited, tables, 0, 1);
    double kept = limited.history().json().length();
    long without =
        limited.history().tables().values().stream().filter(t -> t.columns().isEmpty()).count();
    progress.say(
        "history: %,d tables: %,.0f bytes with one shape each, %,.0f with %d; with"
            + " drift.history.max.bytes=524288 it takes %,.0f, and %,d tables keep no columns;"
            + " %.1f us for each new shape",
        tables, first, all, versions, kept, without, micros);
    findings.add(
        new Finding(
            Bench.HISTORY,
            "history per table, of " + tables,
            first / tables,
            "bytes",
            new Bound(Bound.Kind.BELOW, MOST_BYTES_PER_TABLE),
            Map.of("whole_history_bytes", List.of(first), "default_limit_bytes", List.of(kept))));
    findings.add(
        new Finding(
            Bench.HISTORY,
            "history per older version, of " + tables,
            (all - first) / tables / (versions - 1),
            "bytes",
            new Bound(Bound.Kind.BELOW, MOST_BYTES_PER_VERSION),
            Map.of("whole_history_bytes", List.of(all))));
  }

  /** Changes of all tables in turn: the hardest order for what is kept of the last one. */
  private Finding unchanged(int tables, int rounds) {
    ShapeLedger ledger = ledger(UNLIMITED);
    List<Relation> relations = relations(tables, 0);
    long change = 1;
    String json = "";
    List<Double> nanos = new ArrayList<>();
    int records = 1_000_000;
    for (int round = 0; round <= rounds; round++) {
      long started = time.nanoTime();
      for (int i = 0; i < records; i++) {
        ledger.delivered(relations.get(i % tables), ordinal(change++), 1);
      }
      double each = (double) (time.nanoTime() - started) / records;
      if (round > 0) {
        nanos.add(each);
        requireSame(json, ledger.history().json());
      }
      json = ledger.history().json();
    }
    Sample sample = new Sample("nanoseconds_per_record", nanos);
    return new Finding(
        Bench.HISTORY,
        "a record when nothing changed, of " + tables + " tables",
        sample.median(),
        "ns",
        new Bound(Bound.Kind.BELOW, MOST_NANOS_PER_RECORD),
        Map.of(sample.name(), sample.values()));
  }

  /** The very object: no string is built when nothing changed. */
  @SuppressWarnings("ReferenceEquality")
  private static void requireSame(String before, String after) {
    if (before != after) {
      throw new IllegalStateException("the history's string was built anew without a change");
    }
  }

  private static long deliver(ShapeLedger ledger, int tables, int version, long change) {
    return deliver(ledger, relations(tables, version), change);
  }

  private static long deliver(ShapeLedger ledger, List<Relation> relations, long change) {
    long next = change;
    for (Relation relation : relations) {
      ledger.delivered(relation, ordinal(next++), 1);
    }
    return next;
  }

  private static ShapeLedger ledger(int maxBytes) {
    return new ShapeLedger(
        SchemaHistory.empty(),
        ChangeOrdinal.NONE,
        new HistoryLimits(VERSIONS, maxBytes),
        new DriftDetector(DriftPolicy.REPORT));
  }

  private static ChangeOrdinal ordinal(long change) {
    return new ChangeOrdinal(new Lsn(0x16B3748L + change), new Lsn(0x16B3748L + change), 0);
  }

  private static List<Relation> relations(int tables, int version) {
    List<Relation> relations = new ArrayList<>(tables);
    for (int table = 0; table < tables; table++) {
      List<ColumnShape> columns = new ArrayList<>();
      for (int column = 0; column < COLUMNS; column++) {
        columns.add(
            new ColumnShape(
                "column_name_" + column, column == 0 ? 20 : 1043, null, 14 + version, column == 0));
      }
      relations.add(
          new Relation(
              new Shape(
                  new TableId("public", "table_name_" + table),
                  16_384L + table,
                  ReplicaIdentity.DEFAULT,
                  columns),
              true));
    }
    return relations;
  }
}
