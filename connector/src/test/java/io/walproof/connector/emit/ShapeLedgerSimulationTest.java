package io.walproof.connector.emit;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.drift.DriftDecision;
import io.walproof.connector.drift.DriftDetector;
import io.walproof.connector.drift.DriftPolicy;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.relation.Relation;
import io.walproof.connector.schema.HistoryLimits;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.connector.schema.ShapeVersion;
import io.walproof.contract.ColumnShape;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.Lsn;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.Shape;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A stream of transactions with shape changes, read by captures that stop anywhere, with any
 * durable position up to what was emitted, and by Debezium restarting itself in between. Counted
 * along what became durable, each change of a delivered shape gives one event, and the history of
 * every position is that of the changes up to its decided one (invariants D and E; D12, D13).
 *
 * <p>Which mutation of the code each test of the history kills; each was made by hand and seen to
 * fail:
 *
 * <table>
 *   <caption>Mutations</caption>
 *   <tr><th>Mutation</th><th>Killed by</th></tr>
 *   <tr><td>{@code ShapeLedger.keep} starts from an empty history (the carry-forward is
 *       dropped)</td><td>{@link #oneEventPerChangeOfDeliveredShapeAlongTheDurableLine}</td></tr>
 *   <tr><td>{@code TableHistory.with} takes every shape for a new one (the same-shape rule is
 *       dropped)</td><td>the same; {@code SchemaHistoryTest.seeingTheCurrentShapeAgainChangesNothing}
 *       and {@code shedColumnsStayAwayUntilTheShapeChanges}</td></tr>
 *   <tr><td>{@code TableHistory.with} keeps the first versions (pruned at the wrong
 *       end)</td><td>{@code SchemaHistoryTest.versionsArePrunedOldestFirst}</td></tr>
 *   <tr><td>{@code ShapeHash} leaves the type modifier out</td><td>{@code ShapeHashGoldenTest}, {@code
 *       SchemaHistoryTest.theGoldenHistoryIsWrittenAndReadByteForByte}, {@code
 *       DriftDetectorTest.hashAndColumnsNeverDisagree}, {@code DriftPolicyTest}</td></tr>
 *   <tr><td>{@code ColumnComparison} leaves the type modifier out</td><td>{@code
 *       DriftDetectorTest.hashAndColumnsNeverDisagree}, {@code DriftPolicyTest}</td></tr>
 *   <tr><td>A shape enters the history when it is seen, also with a change that was decided before
 *       (commit at sight)</td><td>both tests here</td></tr>
 *   <tr><td>Changes that come again are decided again</td><td>both tests here</td></tr>
 *   <tr><td>The hash before is read after the new one was recorded (too late)</td><td>{@link
 *       #oneEventPerChangeOfDeliveredShapeAlongTheDurableLine}</td></tr>
 *   <tr><td>The short form leaves the relation OID out; it wins over an older build's
 *       entry</td><td>{@code SchemaHistoryTest.fiveThousandTablesFitIntoTheDefaultLimitInTheirShortForm},
 *       {@code theShortFormIsPinnedAndAnOlderBuildsEntryWinsOverIt}</td></tr>
 *   <tr><td>Too many tables for the history are not refused</td><td>{@code HistoryRoomTest}</td></tr>
 *   <tr><td>A halt goes on delivering; it delivers the deciding change; it does not wait until its
 *       position is durable</td><td>{@code HaltIT}</td></tr>
 * </table>
 */
class ShapeLedgerSimulationTest {

  static final HistoryLimits LIMITS = new HistoryLimits(1000, 64 * 1024 * 1024);
  static final int TABLES = 3;
  static final int SHAPES = 3;

  /** One change of the stream. */
  record Change(int transaction, ChangeOrdinal ordinal, int table, int shape) {}

  /** What a position carries, as far as shapes go. */
  record Emitted(int resumeTransaction, ChangeOrdinal decided, String history) {}

  @Property(tries = 400)
  void oneEventPerChangeOfDeliveredShapeAlongTheDurableLine(@ForAll long seed) {
    Random random = new Random(seed);
    List<Change> stream = stream(random);
    Emitted durable = new Emitted(0, ChangeOrdinal.NONE, SchemaHistory.empty().json());
    List<String> events = new ArrayList<>();
    int lives = 1 + random.nextInt(8);
    for (int life = 1; life <= lives; life++) {
      boolean last = life == lives;
      ShapeLedger ledger =
          new ShapeLedger(
              SchemaHistory.read(durable.history()),
              durable.decided(),
              LIMITS,
              new DriftDetector(DriftPolicy.REPORT));
      List<String> ofLife = new ArrayList<>();
      int internalRestarts = random.nextInt(3);
      for (int leg = 0; leg <= internalRestarts; leg++) {
        boolean toTheEnd = last && leg == internalRestarts;
        Emitted start = durable;
        List<Change> resent =
            stream.stream().filter(c -> c.transaction() >= start.resumeTransaction()).toList();
        int stop = toTheEnd ? resent.size() : random.nextInt(resent.size() + 1);
        Map<String, Relation> session = new HashMap<>();
        int durableAfter = random.nextInt(stop + 1);
        for (int i = 0; i < stop; i++) {
          Change change = resent.get(i);
          ofLife.addAll(deliver(ledger, session, change));
          Emitted emitted =
              new Emitted(change.transaction(), ledger.decided(), ledger.history().json());
          assertHistoryIsTheModels(stream, emitted);
          if (i + 1 == durableAfter) {
            durable = emitted;
            events.addAll(ofLife);
            ofLife.clear();
          }
        }
      }
      if (last) {
        events.addAll(ofLife);
      }
    }
    assertThat(events).containsExactlyElementsOf(expectedEvents(stream));
  }

  @Property(tries = 200)
  void aCleanRestartIsQuiet(@ForAll long seed) {
    Random random = new Random(seed);
    List<Change> stream = stream(random);
    ShapeLedger first =
        new ShapeLedger(
            SchemaHistory.empty(),
            ChangeOrdinal.NONE,
            LIMITS,
            new DriftDetector(DriftPolicy.REPORT));
    Map<String, Relation> session = new HashMap<>();
    int stop = 1 + random.nextInt(stream.size());
    for (Change change : stream.subList(0, stop)) {
      deliver(first, session, change);
    }
    ShapeLedger second =
        new ShapeLedger(
            SchemaHistory.read(first.history().json()),
            first.decided(),
            LIMITS,
            new DriftDetector(DriftPolicy.REPORT));
    Map<String, Relation> secondSession = new HashMap<>();
    for (Change change : stream.subList(0, stop)) {
      assertThat(deliver(second, secondSession, change)).isEmpty();
    }
    assertThat(second.history().json()).isEqualTo(first.history().json());
  }

  /** Policy halt: each life ends at a change of shape, and its position becomes durable or not. */
  @Property(tries = 300)
  void eachDriftHaltsOnceAlongTheDurableLineAndEveryChangeIsDelivered(@ForAll long seed) {
    Random random = new Random(seed);
    List<Change> stream = stream(random);
    Emitted durable = new Emitted(0, ChangeOrdinal.NONE, SchemaHistory.empty().json());
    List<String> events = new ArrayList<>();
    Set<ChangeOrdinal> delivered = new HashSet<>();
    boolean atTheEnd = false;
    while (!atTheEnd) {
      Emitted start = durable;
      ShapeLedger ledger =
          new ShapeLedger(
              SchemaHistory.read(start.history()),
              start.decided(),
              LIMITS,
              new DriftDetector(DriftPolicy.HALT));
      Map<String, Relation> session = new HashMap<>();
      List<String> ofLife = new ArrayList<>();
      atTheEnd = true;
      for (Change change : stream) {
        if (change.transaction() >= start.resumeTransaction()) {
          DriftDecision decision = decide(ledger, session, change);
          decision.events().forEach(event -> ofLife.add(name(event.kind(), change)));
          if (decision.halts()) {
            durable = new Emitted(change.transaction(), ledger.decided(), ledger.history().json());
            atTheEnd = false;
            break;
          }
          delivered.add(change.ordinal());
        }
      }
      if (!atTheEnd && random.nextInt(3) == 0) {
        // Killed before the halt's position was durable: told again by the next life.
        durable = start;
      } else {
        events.addAll(ofLife);
      }
    }
    assertThat(events).containsExactlyElementsOf(expectedEvents(stream));
    assertThat(delivered)
        .isEqualTo(stream.stream().map(Change::ordinal).collect(Collectors.toSet()));
  }

  private static List<String> deliver(
      ShapeLedger ledger, Map<String, Relation> session, Change change) {
    List<String> names = new ArrayList<>();
    for (DriftEvent event : decide(ledger, session, change).events()) {
      names.add(name(event.kind(), change));
    }
    return names;
  }

  static DriftDecision decide(ShapeLedger ledger, Map<String, Relation> session, Change change) {
    Relation relation =
        session.computeIfAbsent(
            change.table() + "/" + change.shape(),
            key -> new Relation(shape(change.table(), change.shape()), true));
    return ledger.delivered(relation, change.ordinal(), 1);
  }

  static String name(Kind kind, Change change) {
    return kind + " of t" + change.table() + " at " + change.ordinal();
  }

  static List<String> expectedEvents(List<Change> stream) {
    Map<Integer, Integer> shapes = new HashMap<>();
    List<String> events = new ArrayList<>();
    for (Change change : stream) {
      Integer before = shapes.put(change.table(), change.shape());
      if (before == null) {
        events.add(name(Kind.INITIAL, change));
      } else if (before != change.shape()) {
        events.add(name(Kind.SHAPE_CHANGED, change));
      }
    }
    return events;
  }

  static void assertHistoryIsTheModels(List<Change> stream, Emitted emitted) {
    Map<String, List<ShapeHash>> model = new HashMap<>();
    for (Change change : stream) {
      if (change.ordinal().compareTo(emitted.decided()) <= 0) {
        ShapeHash hash = ShapeHash.of(shape(change.table(), change.shape()));
        List<ShapeHash> versions =
            model.computeIfAbsent(
                new TableId("public", "t" + change.table()).display(), k -> new ArrayList<>());
        if (versions.isEmpty() || !versions.get(versions.size() - 1).equals(hash)) {
          versions.add(hash);
        }
      }
    }
    Map<String, List<ShapeHash>> found = new HashMap<>();
    SchemaHistory.read(emitted.history())
        .tables()
        .forEach(
            (name, table) ->
                found.put(name, table.versions().stream().map(ShapeVersion::hash).toList()));
    assertThat(found).isEqualTo(model);
  }

  static List<Change> stream(Random random) {
    List<Change> stream = new ArrayList<>();
    int[] shapes = new int[TABLES];
    long lsn = 1000;
    int transactions = 1 + random.nextInt(8);
    for (int transaction = 0; transaction < transactions; transaction++) {
      // Interleaved: a transaction's changes may lie before the commit ahead of it.
      long changeLsn = Math.max(1, lsn - random.nextInt(300));
      lsn += 500;
      int number = 0;
      for (int i = 1 + random.nextInt(6); i > 0; i--) {
        int table = random.nextInt(TABLES);
        if (random.nextInt(4) == 0) {
          shapes[table] = random.nextInt(SHAPES);
        }
        if (random.nextBoolean()) {
          changeLsn += 10;
          number = 0;
        }
        stream.add(
            new Change(
                transaction,
                new ChangeOrdinal(new Lsn(lsn), new Lsn(changeLsn), number++),
                table,
                shapes[table]));
      }
    }
    return stream;
  }

  static Shape shape(int table, int variant) {
    List<ColumnShape> columns = new ArrayList<>();
    columns.add(new ColumnShape("id", 23, null, -1, true));
    for (int i = 0; i < variant; i++) {
      columns.add(new ColumnShape("c" + i, 25, null, -1, false));
    }
    return new Shape(
        new TableId("public", "t" + table), 100L + table, ReplicaIdentity.DEFAULT, columns);
  }
}
