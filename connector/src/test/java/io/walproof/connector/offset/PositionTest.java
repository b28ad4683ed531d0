package io.walproof.connector.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.schema.HistoryFormatException;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.Lsn;
import io.walproof.contract.OffsetKeys;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PositionTest {

  @Test
  void debeziumResumesWholeTransactionsAndFiltersNothing() {
    Map<String, Object> entries = new HashMap<>();
    entries.put("lsn", 30L);
    entries.put("lsn_proc", 25L);
    entries.put("lsn_commit", 20L);
    entries.put("txId", 5L);
    entries.put("ts_usec", 99L);
    entries.put("messageType", "INSERT");
    entries.put("transaction_id", "x");
    entries.put("transaction_data_collection_order_public.t", 4L);
    entries.put("incremental_snapshot_collections", "[]");
    assertThat(Position.of(entries).forDebezium())
        .isEqualTo(
            Map.of(
                "lsn", 20L,
                "lsn_commit", 20L,
                "ts_usec", 99L,
                "incremental_snapshot_collections", "[]"));
  }

  @Test
  void anUnfinishedSnapshotIsLeftToDebezium() {
    Map<String, Object> entries =
        Map.of("lsn", 30L, "snapshot", "INITIAL", "snapshot_completed", false);
    Position position = Position.of(entries);
    assertThat(position.inSnapshot()).isTrue();
    assertThat(position.forDebezium()).isEqualTo(entries);
    assertThat(Position.of(position.entries()).forDebezium()).isEqualTo(entries);
  }

  @Test
  void aFinishedSnapshotIsResumedFromItsLsn() {
    Position position =
        Position.of(Map.of("lsn", 30L, "snapshot", "INITIAL", "snapshot_completed", true));
    assertThat(position.resume()).isEqualTo(new Lsn(30));
    assertThat(position.forDebezium()).containsEntry("lsn", 30L).containsEntry("lsn_commit", 30L);
  }

  @Test
  void debeziumsOwnOffsetIsAPositionWithoutBaseline() {
    Position position = Position.of(Map.of("lsn", 30L, "lsn_commit", 20L));
    assertThat(position.history()).isEqualTo(SchemaHistory.empty());
    assertThat(position.decided()).isEqualTo(ChangeOrdinal.NONE);
    assertThat(position.systemIdentifier()).isEmpty();
  }

  @Test
  void whatCannotBeResumedFromIsAnError() {
    assertThatThrownBy(() -> Position.of(Map.of("ts_usec", 1L)))
        .isInstanceOf(HistoryFormatException.class);
    assertThatThrownBy(() -> Position.of(Map.of("lsn", 1L, OffsetKeys.SCHEMA_HISTORY, "{\"v\":9}")))
        .isInstanceOf(HistoryFormatException.class);
  }

  @Test
  void entriesRoundTrip() {
    Position position =
        new Position(
            Map.of("lsn", -5L, "ts_usec", 1L),
            new Lsn(-7),
            new ChangeOrdinal(new Lsn(-7), new Lsn(-8), 12),
            SchemaHistory.empty(),
            WalOrigin.of("77"));
    assertThat(Position.of(position.entries())).isEqualTo(position);
    assertThat(Position.of(position.entries()).decided()).isEqualTo(position.decided());
  }

  @Test
  void ordinalsCompareLsnsAsUnsigned() {
    ChangeOrdinal low = new ChangeOrdinal(new Lsn(5), new Lsn(1), 0);
    assertThat(new ChangeOrdinal(new Lsn(-1), new Lsn(1), 0)).isGreaterThan(low);
    assertThat(new ChangeOrdinal(new Lsn(5), new Lsn(2), 0)).isGreaterThan(low);
    assertThat(new ChangeOrdinal(new Lsn(5), new Lsn(1), 1)).isGreaterThan(low);
    assertThat(ChangeOrdinal.parse(low.toString())).isEqualTo(low);
    assertThatThrownBy(() -> ChangeOrdinal.parse("0/1 0/2"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
