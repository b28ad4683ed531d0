package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.Skip;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** Which record carries which position (invariants B and D). */
class EmissionTest {

  private static final ShapeHash SHAPE = new ShapeHash("0123456789abcdef0123456789abcdef");
  private static final TableId TABLE = new TableId("public", "t");

  private final SourceCounters counters = new SourceCounters();
  private final Emission emission = new Emission(ConnectorSettings.of(config()), counters);

  private static Map<String, String> config() {
    Map<String, String> config = new HashMap<>();
    config.put("topic.prefix", "shop");
    config.put("database.hostname", "db");
    config.put("database.user", "me");
    config.put("database.dbname", "app");
    return config;
  }

  private static Position at(long lsn) {
    return Position.start(new Lsn(lsn), SchemaHistory.empty(), WalOrigin.of("7"));
  }

  private static Delivery key(long lsn, DriftEvent... drift) {
    ChangedKey key =
        new ChangedKey(
            TABLE,
            new RowKey(List.of(new RowKey.Column("id", Long.toString(lsn)))),
            Operation.INSERT,
            new Lsn(lsn),
            1,
            Instant.EPOCH,
            SHAPE);
    return new Delivery(at(lsn), Optional.of(key), List.of(drift), Optional.empty());
  }

  private static Delivery skip(long lsn, DriftEvent... drift) {
    return new Delivery(
        at(lsn),
        Optional.empty(),
        List.of(drift),
        Optional.of(new Skip(Skip.Reason.MESSAGE, Optional.empty())));
  }

  private static DriftEvent drift(Kind kind) {
    return new DriftEvent(
        kind,
        Occurrence.IN_PROCESS,
        Optional.of(TABLE),
        new Lsn(3),
        1,
        Optional.empty(),
        Optional.of(SHAPE),
        List.of(),
        Optional.empty(),
        "report",
        "reported",
        "");
  }

  private static long lsn(SourceRecord record) {
    return (Long) record.sourceOffset().get("lsn");
  }

  @Test
  void eventsComeAheadOfTheirChangeAndDoNotClaimIt() {
    emission.startsAt(Optional.of(at(1)));
    Emission.Batch batch =
        emission.records(
            List.of(key(2), key(3, drift(Kind.TABLE_RECREATED), drift(Kind.SHAPE_CHANGED))));
    assertThat(batch.records())
        .extracting(SourceRecord::topic)
        .containsExactly("shop.public.t", "shop.drift", "shop.drift", "shop.public.t");
    assertThat(batch.records()).extracting(EmissionTest::lsn).containsExactly(2L, 2L, 2L, 3L);
    assertThat(batch.behind()).isEmpty();
    assertThat(batch.records())
        .allSatisfy(
            record -> {
              assertThat(record.sourcePartition()).isEqualTo(Map.of("server", "shop"));
              assertThat(record.headers().lastWithName("walproof.system_identifier").value())
                  .isEqualTo("7");
            });
    assertThat(counters.drift(Kind.SHAPE_CHANGED)).isEqualTo(1);
    assertThat(counters.changes()).isEqualTo(2);
  }

  @Test
  void anEventOfTheFirstChangeClaimsOnlyTheStart() {
    emission.startsAt(Optional.of(at(1)));
    Emission.Batch batch = emission.records(List.of(key(3, drift(Kind.SHAPE_CHANGED))));
    assertThat(batch.records()).extracting(EmissionTest::lsn).containsExactly(1L, 3L);
  }

  @Test
  void withoutAChangeTheLastEventCarriesThePosition() {
    emission.startsAt(Optional.of(at(1)));
    Emission.Batch batch =
        emission.records(List.of(skip(3, drift(Kind.GAP), drift(Kind.SHAPE_CHANGED))));
    assertThat(batch.records()).extracting(EmissionTest::lsn).containsExactly(1L, 3L);
    assertThat(batch.behind()).isEmpty();
  }

  @Test
  void whatIsSkippedLeavesAPositionBehind() {
    assertThat(emission.records(List.of(key(2), skip(3))).behind()).contains(at(3));
    assertThat(emission.records(List.of(skip(4), key(5))).behind()).isEmpty();
    assertThat(counters.skips(Skip.Reason.MESSAGE)).isEqualTo(2);
    SourceRecord heartbeat = emission.heartbeat(at(6), Instant.EPOCH);
    assertThat(heartbeat.topic()).isEqualTo("shop.heartbeat");
    assertThat(lsn(heartbeat)).isEqualTo(6);
  }
}
