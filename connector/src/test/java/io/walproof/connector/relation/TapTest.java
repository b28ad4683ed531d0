package io.walproof.connector.relation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.relation.ChangeNote.Outcome;
import io.walproof.contract.ColumnShape;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.Shape;
import io.walproof.contract.TableId;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;

class TapTest {

  private static final Schema SOURCE =
      SchemaBuilder.struct()
          .field("lsn", Schema.OPTIONAL_INT64_SCHEMA)
          .field("txId", Schema.OPTIONAL_INT64_SCHEMA)
          .field("schema", Schema.STRING_SCHEMA)
          .field("table", Schema.STRING_SCHEMA)
          .build();
  private static final Schema VALUE =
      SchemaBuilder.struct().field("op", Schema.STRING_SCHEMA).field("source", SOURCE).build();

  private final Tap tap = new Tap(table -> true, 4, new OpenGate(), false);

  private static final class OpenGate implements StreamGate {
    @Override
    public void opened(Connection connection) {}

    @Override
    public void openedBeside(Connection connection) {}

    @Override
    public void beforeStream() {}

    @Override
    public void streams() {}

    @Override
    public boolean mayCreateSlot() {
      return true;
    }

    @Override
    public RuntimeException slotIsGone() {
      return new IllegalStateException();
    }
  }

  @Test
  void rowsOfOneCopyHaveTheirOwnPlaces() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    for (int i = 0; i < 3; i++) {
      tap.accept(Messages.insert(1, "" + i, "v"), 500);
      Struct value = bind("c", 500, 7);
      assertThat(tap.take(value).ordinal())
          .isEqualTo(new ChangeOrdinal(new Lsn(900), new Lsn(500), i));
    }
    tap.accept(Messages.insert(1, "3", "v"), 600);
    ChangeNote note = tap.take(bind("c", 600, 7));
    assertThat(note.ordinal()).isEqualTo(new ChangeOrdinal(new Lsn(900), new Lsn(600), 0));
    assertThat(note.committedAt()).isEqualTo(Instant.parse("2000-01-01T00:00:01Z"));
    assertThat(note.transactionId()).isEqualTo(7);
  }

  @Test
  void anUpdateOfTheKeyGivesBothKeysHoweverDebeziumCutsIt() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    tap.accept(Messages.update(1, 'K', new String[] {"1", null}, "2", "v"), 500);
    assertKey(bind("d", 500, 7), Operation.DELETE, "1");
    assertKey(bind("c", 500, 7), Operation.INSERT, "2");
    tap.accept(Messages.update(1, 'K', new String[] {"2", null}, "3", "v"), 510);
    assertThat(tap.take(bind("u", 510, 7)).keys())
        .extracting(KeyChange::operation)
        .containsExactly(Operation.DELETE, Operation.INSERT);
    tap.accept(Messages.update(1, 'O', new String[] {"3", "a"}, "3", "b"), 520);
    assertKey(bind("u", 520, 7), Operation.UPDATE, "3");
  }

  @Test
  void anUnchangedOutOfLineKeyComesFromTheOldTuple() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    tap.accept(Messages.update(1, 'K', new String[] {"long", null}, Messages.UNCHANGED, "v"), 500);
    assertKey(bind("u", 500, 7), Operation.UPDATE, "long");
    tap.accept(Messages.update(1, Messages.UNCHANGED, "v"), 510);
    assertThat(tap.take(bind("u", 510, 7)).outcome()).isEqualTo(Outcome.KEY_VALUE_UNAVAILABLE);
  }

  /** Notes are written behind, from the bytes of small messages and at once of large ones. */
  @Test
  void notesKeepTheirOwnKeysWhateverTheStreamHasReachedWhenTheyAreTaken() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    List<Struct> values = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      tap.accept(Messages.insert(1, "" + i, "v".repeat(i % 2 == 0 ? 1 : 100_000)), 500 + i);
      values.add(bind("c", 500 + i, 7));
    }
    tap.accept(Messages.commit(), 600);
    begin(1_000, 8, shape(ReplicaIdentity.DEFAULT, "v"));
    for (int i = 0; i < 4; i++) {
      ChangeNote note = tap.take(values.get(i));
      assertThat(note.ordinal()).isEqualTo(new ChangeOrdinal(new Lsn(900), new Lsn(500 + i), 0));
      assertThat(note.transactionId()).isEqualTo(7);
      assertThat(note.keys().get(0).key().asMap()).isEqualTo(Map.of("id", "" + i));
    }
  }

  @Test
  void aKeyBehindAndAheadOfOtherColumnsIsRead() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "v"));
    tap.accept(Messages.insert(1, "1", "last"), 500);
    assertKey(bind("c", 500, 7), Operation.INSERT, "last");
    tap.accept(Messages.update(1, 'K', new String[] {null, "last"}, "1", "new"), 510);
    assertThat(tap.take(bind("u", 510, 7)).keys())
        .extracting(change -> change.key().texts().get(0))
        .containsExactly("last", "new");
  }

  @Test
  void aKeyThatOnlyLooksLikeTheMarkerIsAKey() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    tap.accept(Messages.insert(1, "unchanged", "v"), 500);
    assertKey(bind("c", 500, 7), Operation.INSERT, "unchanged");
  }

  @Test
  void withReplicaIdentityFullTheCatalogNamesTheKey() {
    begin(900, 7, shape(ReplicaIdentity.FULL, "id", "v"));
    tap.accept(Messages.delete(1, 'O', "1", "x"), 500);
    Struct value = value("d", 500, 7);
    tap.bind(key("v"), value);
    assertThat(tap.take(value).keys().get(0).key().asMap()).isEqualTo(Map.of("v", "x"));
    tap.accept(Messages.insert(1, "1", "x"), 510);
    value = value("c", 510, 7);
    tap.bind(key("renamed"), value);
    assertThat(tap.take(value).outcome()).isEqualTo(Outcome.NO_USABLE_KEY);
    tap.accept(Messages.insert(1, "1", null), 520);
    value = value("c", 520, 7);
    tap.bind(key("v"), value);
    assertThat(tap.take(value).outcome()).isEqualTo(Outcome.KEY_VALUE_UNAVAILABLE);
    tap.accept(Messages.insert(1, "1", "x"), 530);
    assertThat(tap.take(bind("c", 530, 7)).outcome()).isEqualTo(Outcome.NO_USABLE_KEY);
  }

  @Test
  void theSameMessageIsTheSameRelationAndARenamedTypeIsNot() {
    Shape shape =
        new Shape(
            new TableId("public", "t"),
            1,
            ReplicaIdentity.DEFAULT,
            List.of(new ColumnShape("id", 20_000, null, -1, true)));
    tap.accept(Messages.begin(900, 0, 7), 0);
    tap.accept(Messages.type(20_000, "public", "mood"), 0);
    tap.accept(Messages.relation(shape), 0);
    Relation first = insertAndTake(500);
    assertThat(first.shape().columns().get(0).typeName()).isEqualTo("public.mood");
    tap.accept(Messages.type(20_000, "public", "mood"), 0);
    tap.accept(Messages.relation(shape), 0);
    assertThat(insertAndTake(510)).isSameAs(first);
    tap.accept(Messages.type(20_000, "public", "Humour"), 0);
    tap.accept(Messages.relation(shape), 0);
    assertThat(insertAndTake(520).shape().columns().get(0).typeName())
        .isEqualTo("public.\"Humour\"");
  }

  @Test
  void notesOfDroppedRecordsArePassedOver() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    tap.accept(Messages.insert(1, "1", "v"), 500);
    bind("c", 500, 7);
    tap.accept(Messages.insert(1, "2", "v"), 510);
    assertKey(bind("c", 510, 7), Operation.INSERT, "2");
  }

  @Test
  void aRecordOfAnotherLsnOrTransactionIsRefused() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    tap.accept(Messages.insert(1, "1", "v"), 500);
    assertThatThrownBy(() -> bind("c", 501, 7)).isInstanceOf(TapException.class);
    assertThatThrownBy(() -> bind("c", 500, 8)).isInstanceOf(TapException.class);
    assertThat(tap.failure()).isInstanceOf(TapException.class);
  }

  @Test
  void aRecordWithoutMessageIsRefused() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    assertThatThrownBy(() -> bind("c", 500, 7)).isInstanceOf(TapException.class);
    assertThatThrownBy(() -> tap.take(value("c", 500, 7)))
        .isInstanceOf(TapException.class)
        .hasMessageContaining("did not pass the tap");
  }

  @Test
  void aSnapshotReadHasNoNote() {
    tap.bind(null, value("r", 500, 7));
    assertThat(tap.failure()).isNull();
  }

  @Test
  void aChangeThatDebeziumMakesNoRecordOfEndsTheCapture() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    tap.accept(Messages.insert(1, "1", "v"), 500);
    assertThatThrownBy(() -> tap.accept(Messages.commit(), 900))
        .isInstanceOf(TapException.class)
        .hasMessageContaining("public.t")
        .hasMessageContaining("0/1F4");
  }

  @Test
  void aChangeOfAFilteredTableNeedsNoRecord() {
    Tap filtered = new Tap(table -> false, 4, new OpenGate(), false);
    filtered.accept(Messages.begin(900, 0, 7), 0);
    filtered.accept(Messages.relation(shape(ReplicaIdentity.DEFAULT, "id")), 0);
    filtered.accept(Messages.insert(1, "1", "v"), 500);
    filtered.accept(Messages.commit(), 900);
    assertThat(filtered.failure()).isNull();
  }

  @Test
  void theQueueIsBounded() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    for (int i = 0; i < 4; i++) {
      tap.accept(Messages.insert(1, "" + i, "v"), 500);
      bind("c", 500, 7);
    }
    tap.accept(Messages.insert(1, "4", "v"), 500);
    assertThatThrownBy(() -> bind("c", 500, 7)).hasMessageContaining("max.queue.size");
  }

  @Test
  void truncateNamesItsTableAndMessagesThatWereNotAskedForAreRefused() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    tap.accept(Messages.truncate(1), 500);
    ChangeNote note = tap.take(bind("t", 500, 7));
    assertThat(note.outcome()).isEqualTo(Outcome.TRUNCATE);
    assertThat(note.relation().shape().table()).isEqualTo(new TableId("public", "t"));
    for (char type : new char[] {'S', 'E', 'c', 'A', 'b', 'P'}) {
      assertThatThrownBy(() -> tap.accept(Messages.of(type), 0))
          .hasMessageContaining("slot.stream.params");
    }
  }

  @Test
  void aNewStreamForgetsRelationsAndNotes() {
    begin(900, 7, shape(ReplicaIdentity.DEFAULT, "id"));
    tap.accept(Messages.insert(1, "1", "v"), 500);
    Struct old = bind("c", 500, 7);
    tap.streamStarts();
    assertThatThrownBy(() -> tap.take(old)).isInstanceOf(TapException.class);
    assertThatThrownBy(() -> tap.accept(Messages.insert(1, "1", "v"), 500))
        .hasMessageContaining("no RELATION message");
  }

  private Relation insertAndTake(long lsn) {
    tap.accept(Messages.insert(1, "1"), lsn);
    return tap.take(bind("c", lsn, 7)).relation();
  }

  private void begin(long commit, int transaction, Shape shape) {
    tap.accept(Messages.begin(commit, 1_000_000, transaction), 0);
    tap.accept(Messages.relation(shape), 0);
  }

  private void assertKey(Struct value, Operation operation, String text) {
    List<KeyChange> keys = tap.take(value).keys();
    assertThat(keys).hasSize(1);
    assertThat(keys.get(0).operation()).isEqualTo(operation);
    assertThat(keys.get(0).key().texts()).containsExactly(text);
  }

  private Struct bind(String op, long lsn, long transaction) {
    Struct value = value(op, lsn, transaction);
    tap.bind(null, value);
    return value;
  }

  private static Struct value(String op, long lsn, long transaction) {
    Struct source =
        new Struct(SOURCE)
            .put("lsn", lsn)
            .put("txId", transaction)
            .put("schema", "public")
            .put("table", "t");
    return new Struct(VALUE).put("op", op).put("source", source);
  }

  private static Struct key(String name) {
    Schema schema = SchemaBuilder.struct().field(name, Schema.STRING_SCHEMA).build();
    return new Struct(schema).put(name, "debezium's value is not used");
  }

  private static Shape shape(ReplicaIdentity identity, String... keys) {
    List<String> flagged = List.of(keys);
    return new Shape(
        new TableId("public", "t"),
        1,
        identity,
        List.of(
            new ColumnShape("id", 23, null, -1, flagged.contains("id")),
            new ColumnShape("v", 25, null, -1, flagged.contains("v"))));
  }
}
