package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStoreException;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.schema.HistoryLimits;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.connector.schema.TableHistory;
import io.walproof.contract.ColumnShape;
import io.walproof.contract.Lsn;
import io.walproof.contract.OffsetKeys;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.Shape;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Positions through the worker's offset store, whose format is JSON without schemas. */
class ConnectPositionStoreTest {

  private static final Map<String, String> PARTITION = Map.of("server", "shop");

  private final StoredOffsets stored = new StoredOffsets(PARTITION);
  private final List<Position> carried = new ArrayList<>();
  private final ConnectPositionStore store =
      new ConnectPositionStore(stored, PARTITION, carried::add);

  private static Position position(SchemaHistory history) {
    return Position.start(Lsn.parse("1/2"), history, WalOrigin.of("7"));
  }

  @Test
  void whatIsCommittedIsReadBack() {
    assertThat(store.durable()).isEmpty();
    Position position = position(SchemaHistory.empty());
    stored.commit(new SourceOffset(position));
    assertThat(store.durable()).contains(position);
    assertThat(store.durable().orElseThrow()).isSameAs(store.durable().orElseThrow());
  }

  @Test
  void nullEntriesAreAsAbsentOnes() {
    Map<String, Object> entries = new HashMap<>(position(SchemaHistory.empty()).entries());
    entries.put("transaction_id", null);
    assertThat(new SourceOffset(Position.of(entries))).doesNotContainKey("transaction_id");
    stored.commit(entries);
    assertThat(store.durable()).contains(position(SchemaHistory.empty()));
  }

  @Test
  void aWriteAsksForARecord() {
    Position position = position(SchemaHistory.empty());
    store.write(position);
    assertThat(carried).containsExactly(position);
    assertThat(store.durable()).isEmpty();
  }

  @Test
  void aDamagedOffsetIsRefusedAndTheWayOutIsNamed() {
    Map<String, Object> damaged = new HashMap<>(position(SchemaHistory.empty()).entries());
    damaged.put(OffsetKeys.SCHEMA_HISTORY, "{\"v\":9}");
    stored.commit(damaged);
    assertThatThrownBy(store::durable)
        .isInstanceOf(PositionStoreException.class)
        .hasMessageContaining("version 9")
        .hasMessageContaining("DELETE");
  }

  /** O5: whatever the history holds, the offset fits into a message of Kafka's default size. */
  @Test
  void aFullHistoryStaysBelowTheSizeOfAMessage() {
    HistoryLimits limits = new HistoryLimits(10, 512 * 1024);
    SchemaHistory history = SchemaHistory.empty();
    for (int table = 0; table < 20; table++) {
      int number = table;
      Shape shape =
          new Shape(
              new TableId("s", "t" + table),
              17_000 + table,
              ReplicaIdentity.DEFAULT,
              IntStream.range(0, 1600)
                  .mapToObj(
                      i -> new ColumnShape("c".repeat(55) + number + "_" + i, 25, null, -1, false))
                  .toList());
      history =
          history.with(
              shape.table(),
              TableHistory.first(shape, ShapeHash.of(shape), new Lsn(table + 1)),
              limits);
    }
    stored.commit(new SourceOffset(position(history)));
    assertThat(stored.bytes()).isBetween(300_000, 1_000_000);
    assertThat(store.durable().orElseThrow().history().tables()).hasSize(20);
  }
}
