package io.walproof.connector.emit;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.drift.Acceptance;
import io.walproof.connector.drift.AcceptedShapes;
import io.walproof.connector.drift.AcceptedShapes.Entry;
import io.walproof.connector.drift.DriftDecision;
import io.walproof.connector.drift.DriftDetector;
import io.walproof.connector.drift.DriftPolicy;
import io.walproof.connector.emit.ShapeLedgerSimulationTest.Change;
import io.walproof.connector.emit.ShapeLedgerSimulationTest.Emitted;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.relation.Relation;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.Lsn;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Policy {@code dlq}: the simulated stream of {@link ShapeLedgerSimulationTest}, an operator who
 * accepts the right shapes and wrong ones, and captures that are killed after any step: the
 * acceptance at a start, a deciding change, any change after it, with any durable position up to
 * what was emitted.
 */
class DiversionSimulationTest {

  /** What the rules say of one table; along the durable line. */
  private static final class Model {
    private int shape = -1;
    private ChangeOrdinal begin;
    private ShapeHash awaited;
    private Lsn since;
    private boolean listed;

    private Model copy() {
      Model copy = new Model();
      copy.shape = shape;
      copy.begin = begin;
      copy.awaited = awaited;
      copy.since = since;
      copy.listed = listed;
      return copy;
    }

    private boolean diverted() {
      return begin != null;
    }

    private boolean acceptedBy(TableId table, AcceptedShapes accepted) {
      for (Entry entry : accepted.entries()) {
        boolean thisTime = entry.at().isPresent() ? entry.at().get().equals(since) : !listed;
        if (entry.table().equals(table) && entry.hash().equals(awaited) && thisTime) {
          return true;
        }
      }
      return false;
    }
  }

  /** A durable position, and what the model says there. */
  private record Durable(Emitted position, List<Model> model) {}

  /** What a reader of the topics has met, in order; a killed capture's records stay written. */
  private static final class Reader {
    private final Set<ChangeOrdinal> checked = new HashSet<>();
    private final Map<Integer, Set<ChangeOrdinal>> diverted = new HashMap<>();

    private void meets(Change change, boolean isDiverted) {
      if (isDiverted) {
        diverted.computeIfAbsent(change.table(), t -> new HashSet<>()).add(change.ordinal());
      } else {
        checked.add(change.ordinal());
      }
    }

    private void accepted(int table) {
      Set<ChangeOrdinal> released = diverted.remove(table);
      if (released != null) {
        checked.addAll(released);
      }
    }
  }

  @Property(tries = 500)
  void whatIsDivertedIsByTheRulesAndNothingIsLost(@ForAll long seed) {
    Random random = new Random(seed);
    List<Change> stream = ShapeLedgerSimulationTest.stream(random);
    Reader reader = new Reader();
    List<String> events = new ArrayList<>();
    AcceptedShapes accepted = AcceptedShapes.NONE;
    Durable durable =
        new Durable(new Emitted(0, ChangeOrdinal.NONE, SchemaHistory.empty().json()), fresh());
    int lives = 2 + random.nextInt(8);
    for (int life = 1; life <= lives; life++) {
      accepted = operator(random, accepted, durable);
      boolean last = life == lives;
      Emitted start = durable.position();
      Acceptance acceptance =
          Acceptance.of(
              SchemaHistory.read(start.history()),
              accepted,
              ShapeLedgerSimulationTest.LIMITS,
              new Lsn(1),
              DriftPolicy.DLQ);
      List<Model> model = copy(durable.model());
      assertThat(acceptance.events().stream().map(DriftEvent::table).map(Optional::get).toList())
          .isEqualTo(acceptedBy(model, accepted));
      acceptance.events().forEach(event -> reader.accepted(number(event)));
      ShapeLedger ledger =
          new ShapeLedger(
              acceptance.history(),
              start.decided(),
              ShapeLedgerSimulationTest.LIMITS,
              new DriftDetector(DriftPolicy.DLQ),
              accepted);
      List<String> ofLife = new ArrayList<>();
      if (random.nextBoolean()) {
        // Not so where the capture is killed before even the acceptance is durable.
        durable =
            new Durable(
                new Emitted(
                    start.resumeTransaction(), start.decided(), acceptance.history().json()),
                copy(model));
      }
      int internalRestarts = random.nextInt(2);
      for (int leg = 0; leg <= internalRestarts; leg++) {
        int from = durable.position().resumeTransaction();
        List<Change> resent = stream.stream().filter(c -> c.transaction() >= from).toList();
        boolean toTheEnd = last && leg == internalRestarts;
        int stop = toTheEnd ? resent.size() : random.nextInt(resent.size() + 1);
        int durableAfter = random.nextInt(stop + 1);
        Map<String, Relation> session = new HashMap<>();
        for (int i = 0; i < stop; i++) {
          Change change = resent.get(i);
          boolean before = change.ordinal().compareTo(ledger.decided()) <= 0;
          DriftDecision decision = ShapeLedgerSimulationTest.decide(ledger, session, change);
          decision
              .events()
              .forEach(event -> ofLife.add(ShapeLedgerSimulationTest.name(event.kind(), change)));
          Model table = model.get(change.table());
          if (!before) {
            expect(table, change, accepted, decision);
          }
          boolean expected =
              table.diverted() && (!before || change.ordinal().compareTo(table.begin) >= 0);
          boolean isDiverted =
              ledger.diversion(table(change.table()), Optional.of(change.ordinal())).isPresent();
          assertThat(isDiverted).as("diverted at " + change).isEqualTo(expected);
          reader.meets(change, isDiverted);
          Emitted emitted =
              new Emitted(change.transaction(), ledger.decided(), ledger.history().json());
          ShapeLedgerSimulationTest.assertHistoryIsTheModels(stream, emitted);
          if (i + 1 == durableAfter) {
            durable = new Durable(emitted, copy(model));
            events.addAll(ofLife);
            ofLife.clear();
          }
        }
      }
      if (last) {
        events.addAll(ofLife);
        durable =
            new Durable(new Emitted(0, ledger.decided(), ledger.history().json()), copy(model));
      }
    }
    // One event for each change of a delivered shape, however often captures were killed (E).
    assertThat(events).containsExactlyElementsOf(ShapeLedgerSimulationTest.expectedEvents(stream));
    assertThat(SchemaHistory.read(durable.position().history()).diversions().keySet())
        .isEqualTo(divertedNames(durable.model()));
    // Once everything is accepted, every change of the stream was handed on to be checked.
    for (int t = 0; t < ShapeLedgerSimulationTest.TABLES; t++) {
      if (durable.model().get(t).diverted()) {
        reader.accepted(t);
      }
    }
    assertThat(reader.checked)
        .isEqualTo(stream.stream().map(Change::ordinal).collect(Collectors.toSet()));
    assertThat(reader.diverted.values().stream().allMatch(Set::isEmpty)).isTrue();
  }

  private static void expect(
      Model table, Change change, AcceptedShapes accepted, DriftDecision decision) {
    boolean changed = table.shape >= 0 && table.shape != change.shape();
    table.shape = change.shape();
    assertThat(decision.diverts()).isEqualTo(changed);
    assertThat(decision.halts()).isFalse();
    if (changed) {
      assertThat(decision.events())
          .allSatisfy(
              event -> {
                assertThat(event.kind()).isEqualTo(Kind.SHAPE_CHANGED);
                assertThat(event.action()).isEqualTo("diverted");
              });
      table.awaited = ShapeHash.of(ShapeLedgerSimulationTest.shape(change.table(), change.shape()));
      table.since = change.ordinal().lsn();
      table.listed = accepted.lists(table(change.table()), table.awaited);
      if (!table.diverted()) {
        table.begin = change.ordinal();
      }
    }
  }

  /**
   * Accepts what is diverted, by either form, or lists any shape of any table, or takes all away.
   */
  private static AcceptedShapes operator(Random random, AcceptedShapes before, Durable durable) {
    List<Entry> entries = new ArrayList<>(before.entries());
    int t = random.nextInt(ShapeLedgerSimulationTest.TABLES);
    Model model = durable.model().get(t);
    switch (random.nextInt(6)) {
      case 0 -> entries.clear();
      case 1 -> entries.add(new Entry(table(t), anyShape(random, t), Optional.empty()));
      case 2 -> {
        if (model.diverted()) {
          entries.add(new Entry(table(t), model.awaited, Optional.empty()));
        }
      }
      case 3 -> {
        if (model.diverted()) {
          entries.add(new Entry(table(t), model.awaited, Optional.of(model.since)));
        }
      }
      case 4 -> entries.add(new Entry(table(t), anyShape(random, t), Optional.of(new Lsn(7))));
      default -> {}
    }
    return new AcceptedShapes(entries);
  }

  private static ShapeHash anyShape(Random random, int table) {
    return ShapeHash.of(
        ShapeLedgerSimulationTest.shape(table, random.nextInt(ShapeLedgerSimulationTest.SHAPES)));
  }

  /** Applies an acceptance to the model; gives the tables that it ends the diversion of. */
  private static List<TableId> acceptedBy(List<Model> model, AcceptedShapes accepted) {
    List<TableId> tables = new ArrayList<>();
    for (int t = 0; t < model.size(); t++) {
      if (model.get(t).diverted() && model.get(t).acceptedBy(table(t), accepted)) {
        tables.add(table(t));
        model.get(t).begin = null;
      } else if (model.get(t).diverted() && !accepted.lists(table(t), model.get(t).awaited)) {
        model.get(t).listed = false;
      }
    }
    return tables;
  }

  private static List<Model> fresh() {
    return Stream.generate(Model::new).limit(ShapeLedgerSimulationTest.TABLES).toList();
  }

  private static List<Model> copy(List<Model> model) {
    return model.stream().map(Model::copy).toList();
  }

  private static Set<String> divertedNames(List<Model> model) {
    Set<String> names = new HashSet<>();
    for (int t = 0; t < model.size(); t++) {
      if (model.get(t).diverted()) {
        names.add(table(t).display());
      }
    }
    return names;
  }

  private static TableId table(int number) {
    return new TableId("public", "t" + number);
  }

  private static int number(DriftEvent event) {
    return Integer.parseInt(event.table().orElseThrow().name().substring(1));
  }
}
