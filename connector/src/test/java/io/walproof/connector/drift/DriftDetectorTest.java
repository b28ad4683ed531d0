package io.walproof.connector.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.walproof.connector.schema.HistoryLimits;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.connector.schema.StoredColumn;
import io.walproof.connector.schema.TableHistory;
import io.walproof.contract.ColumnShape;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.Shape;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class DriftDetectorTest {

  private static final TableId TABLE = new TableId("public", "t");
  private static final ColumnShape ID = column("id", 23, -1, true);
  private static final ColumnShape NAME = column("name", 1043, 14, false);

  private final DriftDetector detector = new DriftDetector(DriftPolicy.REPORT);

  @Test
  void aFirstShapeIsABaseline() {
    DriftEvent event = only(compare(Optional.empty(), change(shape(ID, NAME)), Optional.empty()));
    assertThat(event.kind()).isEqualTo(Kind.INITIAL);
    assertThat(event.occurrence()).isEqualTo(Occurrence.FIRST_SEEN);
    assertThat(event.previous()).isEmpty();
    assertThat(event.isDrift()).isFalse();
  }

  @Test
  void theSameShapeIsNothing() {
    assertThat(compare(shape(ID, NAME), shape(ID, NAME))).isEmpty();
  }

  @Test
  void anAdditionIsNotNarrowingAndARemovalIs() {
    DriftEvent added = only(compare(shape(ID), shape(ID, NAME)));
    assertThat(added.changes())
        .containsExactly(new ColumnChange("name", What.ADDED, "", "character varying(10)", false));
    assertThat(added.narrowing()).contains(false);
    assertThat(added.previous()).contains(ShapeHash.of(shape(ID)));
    assertThat(added.current()).contains(ShapeHash.of(shape(ID, NAME)));
    DriftEvent removed = only(compare(shape(ID, NAME), shape(ID)));
    assertThat(removed.narrowing()).contains(true);
  }

  @Test
  void aRemovalWithAnAdditionIsBothAndAPossibleRename() {
    DriftEvent event = only(compare(shape(ID, NAME), shape(ID, column("title", 1043, 14, false))));
    assertThat(event.changes())
        .extracting(ColumnChange::column, ColumnChange::what, ColumnChange::after)
        .containsExactly(
            tuple("name", What.REMOVED, ""),
            tuple("title", What.ADDED, "character varying(10)"),
            tuple("name", What.POSSIBLE_RENAME, "title"));
    assertThat(only(compare(shape(ID, NAME), shape(ID, column("n", 23, -1, false)))).changes())
        .extracting(ColumnChange::what)
        .containsExactly(What.REMOVED, What.ADDED);
  }

  @Test
  void anotherOrderIsAnEventThoughTheHashIsTheSame() {
    DriftEvent event = only(compare(shape(ID, NAME), shape(NAME, ID)));
    assertThat(event.kind()).isEqualTo(Kind.COLUMN_ORDER_CHANGED);
    assertThat(event.previous()).isEqualTo(event.current());
  }

  @Test
  void anAdditionInTheMiddleMovesNobody() {
    assertThat(compare(shape(ID, NAME), shape(ID, column("x", 23, -1, false), NAME)))
        .extracting(DriftEvent::kind)
        .containsExactly(Kind.SHAPE_CHANGED);
  }

  @Test
  void anotherOidIsATableCreatedAgainAlsoWithTheSameColumns() {
    DriftEvent event = only(compare(shape(ID), shape(2, ReplicaIdentity.DEFAULT, ID)));
    assertThat(event.kind()).isEqualTo(Kind.TABLE_RECREATED);
    assertThat(event.detail()).contains("1", "2");
    assertThat(compare(shape(ID), shape(2, ReplicaIdentity.DEFAULT, ID, NAME)))
        .extracting(DriftEvent::kind)
        .containsExactly(Kind.TABLE_RECREATED, Kind.SHAPE_CHANGED);
  }

  @Test
  void keyAndReplicaIdentityAreEventsOfTheirOwn() {
    ColumnShape plain = column("id", 23, -1, false);
    ColumnShape keyed = column("name", 1043, 14, true);
    assertThat(only(compare(shape(ID, NAME), shape(plain, keyed))).kind())
        .isEqualTo(Kind.KEY_CHANGED);
    DriftEvent event = only(compare(shape(ID, NAME), shape(1, ReplicaIdentity.FULL, ID, keyed)));
    assertThat(event.kind()).isEqualTo(Kind.REPLICA_IDENTITY_CHANGED);
    assertThat(event.changes()).extracting(ColumnChange::column).containsExactly("name");
  }

  @Test
  void aColumnThatIsAddedToTheKeyOrRemovedWithItChangesTheKey() {
    ColumnShape region = column("region", 23, -1, true);
    assertThat(compare(shape(ID), shape(ID, region)))
        .extracting(DriftEvent::kind)
        .containsExactly(Kind.SHAPE_CHANGED, Kind.KEY_CHANGED);
    assertThat(compare(shape(ID, region), shape(ID)))
        .extracting(DriftEvent::kind)
        .containsExactly(Kind.SHAPE_CHANGED, Kind.KEY_CHANGED);
    // Identity full flags every column, which says nothing about a key.
    assertThat(
            compare(shape(1, ReplicaIdentity.FULL, ID), shape(1, ReplicaIdentity.FULL, ID, region)))
        .extracting(DriftEvent::kind)
        .containsExactly(Kind.SHAPE_CHANGED);
  }

  @Test
  void anEventOnTheWidestTableFitsIntoARecordAndSaysWhatIsLeftOut() throws Exception {
    // 1,600 columns with names of 63 bytes, all renamed; and with names that JSON has to escape.
    for (String letter : List.of("x", "\u0001")) {
      Shape before = wide("a" + letter);
      Shape after = wide("b" + letter);
      DriftEvent event = only(compare(before, after));
      assertThat(event.narrowing()).contains(true);
      assertThat(event.changes().stream().filter(c -> c.what() == What.POSSIBLE_RENAME).count())
          .isLessThanOrEqualTo(20);
      int bytes = new ObjectMapper().writeValueAsBytes(event.changes()).length;
      assertThat(bytes).isLessThan(700 * 1024);
      boolean complete = event.changes().size() == 2 * 1600 + 20;
      assertThat(event.detail().contains("differences are listed")).isEqualTo(!complete);
      // What narrows is what operators act on.
      assertThat(event.changes().subList(0, 1000)).allMatch(ColumnChange::narrowing);
    }
  }

  private static Shape wide(String prefix) {
    List<ColumnShape> columns = new ArrayList<>();
    for (int i = 0; i < 1600; i++) {
      String number = String.format(java.util.Locale.ROOT, "%05d", i);
      columns.add(column(prefix.repeat(29).substring(0, 58) + number, 1043, 14, false));
    }
    return shape(columns.toArray(ColumnShape[]::new));
  }

  @Test
  void whenOnlyTheHashSurvivedTheEventSaysSo() {
    Shape before = shape(ID, NAME);
    String json =
        "{\"v\":1,\"tables\":{\"public.t\":{\"versions\":[{\"h\":\""
            + ShapeHash.of(before).hex()
            + "\",\"lsn\":\"0/1\"}]}}}";
    Optional<TableHistory> history = SchemaHistory.read(json).table(TABLE);
    assertThat(compare(history, change(before), Optional.empty())).isEmpty();
    DriftEvent event = only(compare(history, change(shape(ID)), Optional.empty()));
    assertThat(event.changes()).isEmpty();
    assertThat(event.narrowing()).isEmpty();
    assertThat(event.detail()).contains("only the hash");
    // A process that saw the columns itself still tells their order.
    assertThat(
            only(compare(history, change(shape(NAME, ID)), Optional.of(StoredColumn.of(before))))
                .kind())
        .isEqualTo(Kind.COLUMN_ORDER_CHANGED);
  }

  /** A table of which only the short form is left is told of its replica identity all the same. */
  @Test
  void whenOnlyTheHashSurvivedTheReplicaIdentityIsStillCompared() {
    Shape before = shape(ID, NAME);
    String json =
        "{\"v\":1,\"tables\":{},\"compact\":{\"public.t\":\""
            + ShapeHash.of(before).hex()
            + " 0/1 1 d\"}}";
    Optional<TableHistory> history = SchemaHistory.read(json).table(TABLE);
    assertThat(compare(history, change(before), Optional.empty())).isEmpty();
    DecidingChange full = change(shape(1, ReplicaIdentity.FULL, ID, NAME));
    assertThat(only(compare(history, full, Optional.empty())).kind())
        .isEqualTo(Kind.REPLICA_IDENTITY_CHANGED);
  }

  @Property(tries = 3000)
  void hashAndColumnsNeverDisagree(
      @ForAll("columnSets") List<ColumnShape> before,
      @ForAll("columnSets") List<ColumnShape> after) {
    boolean sameHash =
        ShapeHash.of(shape(before.toArray(ColumnShape[]::new)))
            .equals(ShapeHash.of(shape(after.toArray(ColumnShape[]::new))));
    List<ColumnChange> changes = new ColumnComparison(stored(before), stored(after)).shapeChanges();
    assertThat(changes.isEmpty()).isEqualTo(sameHash);
    List<DriftEvent> events =
        compare(
            shape(before.toArray(ColumnShape[]::new)), shape(after.toArray(ColumnShape[]::new)));
    assertThat(events.stream().anyMatch(event -> event.kind() == Kind.SHAPE_CHANGED))
        .isEqualTo(!sameHash);
    assertThat(events.isEmpty()).isEqualTo(stored(before).equals(stored(after)));
  }

  @Property(tries = 500)
  void orderChangesAreExactlyThoseOfTheCommonColumns(
      @ForAll("columnSets") List<ColumnShape> before,
      @ForAll("columnSets") List<ColumnShape> after) {
    Set<String> common = new HashSet<>(names(before));
    common.retainAll(names(after));
    List<String> was = new ArrayList<>(names(before));
    was.retainAll(common);
    List<String> is = new ArrayList<>(names(after));
    is.retainAll(common);
    assertThat(new ColumnComparison(stored(before), stored(after)).orderChanges().isEmpty())
        .isEqualTo(was.equals(is));
  }

  @Provide
  Arbitrary<List<ColumnShape>> columnSets() {
    Arbitrary<ColumnShape> column =
        Combinators.combine(
                Arbitraries.of("a", "b", "c", "ab"),
                Arbitraries.of(23L, 25L, 1043L, 20_000L, 20_001L),
                Arbitraries.of(-1, 14),
                Arbitraries.of(true, false))
            .as(
                (name, type, modifier, key) ->
                    new ColumnShape(
                        name, type, type == 20_000L ? "public.mood" : null, modifier, key));
    return column.list().ofMaxSize(4).uniqueElements(ColumnShape::name);
  }

  private List<DriftEvent> compare(Shape before, Shape after) {
    TableHistory history = TableHistory.first(before, ShapeHash.of(before), Lsn.parse("0/1"));
    // Through the stored form, as after a restart.
    String json = SchemaHistory.empty().with(TABLE, history, new HistoryLimits(10, 1 << 20)).json();
    return compare(SchemaHistory.read(json).table(TABLE), change(after), Optional.empty());
  }

  private List<DriftEvent> compare(
      Optional<TableHistory> before, DecidingChange change, Optional<List<StoredColumn>> seen) {
    return detector.compare(before, change, seen).events();
  }

  private static DecidingChange change(Shape shape) {
    return new DecidingChange(
        shape, ShapeHash.of(shape), Lsn.parse("0/2"), 9, Occurrence.ACROSS_RESTART);
  }

  private static DriftEvent only(List<DriftEvent> events) {
    assertThat(events).hasSize(1);
    return events.get(0);
  }

  private static List<StoredColumn> stored(List<ColumnShape> columns) {
    return StoredColumn.of(shape(columns.toArray(ColumnShape[]::new)));
  }

  private static List<String> names(List<ColumnShape> columns) {
    return columns.stream().map(ColumnShape::name).toList();
  }

  private static Shape shape(ColumnShape... columns) {
    return shape(1, ReplicaIdentity.DEFAULT, columns);
  }

  private static Shape shape(long oid, ReplicaIdentity identity, ColumnShape... columns) {
    return new Shape(TABLE, oid, identity, List.of(columns));
  }

  private static ColumnShape column(String name, long type, int modifier, boolean key) {
    return new ColumnShape(name, type, null, modifier, key);
  }
}
