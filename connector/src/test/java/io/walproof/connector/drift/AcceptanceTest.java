package io.walproof.connector.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.schema.Diversion;
import io.walproof.connector.schema.HistoryLimits;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.connector.schema.TableHistory;
import io.walproof.contract.ColumnShape;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.Lsn;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.Shape;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code drift.accept} does at a start. */
class AcceptanceTest {

  private static final HistoryLimits LIMITS = new HistoryLimits(10, 512 * 1024);
  private static final TableId TABLE = new TableId("public", "a,b=\"c\"");
  private static final TableId OTHER = new TableId("public", "other");
  private static final ShapeHash OLD = new ShapeHash("00000000000000000000000000000000");
  private static final ShapeHash NEW = new ShapeHash("11111111111111111111111111111111");
  private static final ShapeHash NEWER = new ShapeHash("22222222222222222222222222222222");
  private static final Lsn SINCE = Lsn.parse("0/200");
  private static final String NAME = TABLE.display();

  private static Diversion diversion(boolean listed) {
    return new Diversion("0/210 0/200 0", OLD, NEW, SINCE, listed);
  }

  private static SchemaHistory history(Diversion diversion) {
    SchemaHistory history = SchemaHistory.empty();
    for (TableId table : List.of(TABLE, OTHER)) {
      Shape shape =
          new Shape(
              table,
              1,
              ReplicaIdentity.DEFAULT,
              List.of(new ColumnShape("id", 23, null, -1, true)));
      TableHistory known = TableHistory.first(shape, NEW, Lsn.parse("0/100"));
      Diversion here = table.equals(TABLE) ? diversion : diversion(false);
      history = history.with(table, known.with(Optional.of(here)), LIMITS);
    }
    // As it comes from a store.
    return SchemaHistory.read(history.json());
  }

  private static Acceptance accept(SchemaHistory history, String text) {
    return Acceptance.of(
        history, AcceptedShapes.parse(text), LIMITS, Lsn.parse("0/180"), DriftPolicy.DLQ);
  }

  @Test
  void theAwaitedShapeIsAcceptedAndOtherTablesStayDiverted() {
    Acceptance done = accept(history(diversion(false)), NAME + "=" + NEW.hex());
    assertThat(done.history().diversions()).containsOnlyKeys(OTHER.display());
    assertThat(done.refused()).isEmpty();
    assertThat(done.idle()).isEmpty();
    assertThat(done.events()).hasSize(1);
    DriftEvent event = done.events().get(0);
    assertThat(event.kind()).isEqualTo(Kind.SHAPE_ACCEPTED);
    assertThat(event.isDrift()).isFalse();
    assertThat(event.table()).contains(TABLE);
    assertThat(event.previous()).contains(OLD);
    assertThat(event.current()).contains(NEW);
    assertThat(event.action()).isEqualTo("accepted");
  }

  @Test
  void appliedToItsOutcomeItChangesNothingAndSaysSo() {
    Acceptance done = accept(history(diversion(false)), NAME + "=" + NEW.hex());
    Acceptance again = accept(done.history(), NAME + "=" + NEW.hex());
    assertThat(again.history()).isSameAs(done.history());
    assertThat(again.events()).isEmpty();
    assertThat(again.refused()).isEmpty();
    assertThat(again.idle()).hasSize(1).first().asString().contains("accepted before");
  }

  @Test
  void anOlderShapeIsNotTheNewer() {
    SchemaHistory stored = history(diversion(false).awaiting(NEWER, Lsn.parse("0/300"), false));
    Acceptance done = accept(stored, NAME + "=" + NEW.hex());
    assertThat(done.history().diversions()).containsKey(NAME);
    assertThat(done.events()).isEmpty();
    assertThat(done.refused())
        .singleElement()
        .asString()
        .contains("not the shape that is awaited")
        .contains("drift.accept=" + NAME + "=" + NEWER.hex() + "@0/300");
    assertThat(accept(stored, NAME + "=" + NEW.hex() + "," + NAME + "=" + NEWER.hex()).events())
        .hasSize(1);
  }

  @Test
  void anEntryFromBeforeTheChangeAcceptsItOnlyWithItsLsnOrAfterAStartWithoutIt() {
    SchemaHistory stored = history(diversion(true));
    String plain = NAME + "=" + NEW.hex();
    Acceptance refused = accept(stored, plain);
    assertThat(refused.events()).isEmpty();
    assertThat(refused.history()).isSameAs(stored);
    assertThat(refused.refused()).singleElement().asString().contains("@0/200");
    assertThat(accept(stored, plain + "@0/1FF").events()).isEmpty();
    assertThat(accept(stored, plain + "," + plain + "@0/200").events()).hasSize(1);

    Acceptance without = accept(stored, "");
    assertThat(without.history().diversions().get(NAME).listed()).isFalse();
    assertThat(accept(SchemaHistory.read(without.history().json()), plain).events()).hasSize(1);
  }
}
