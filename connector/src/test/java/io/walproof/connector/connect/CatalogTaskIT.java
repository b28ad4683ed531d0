package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.engine.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What only the catalog shows is kept in Connect's offsets, with its events or not at all. A
 * mutation by hand, every event carries the new reading, was seen to fail.
 */
@Timeout(300)
class CatalogTaskIT {

  @Test
  void aChangeWhileTheConnectorIsStoppedIsToldOnceAndNeverLost() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.sql(
          "CREATE TYPE mood AS ENUM ('sad', 'happy')",
          "CREATE TABLE t (id int PRIMARY KEY, m mood)",
          "CREATE TABLE u (id int PRIMARY KEY, v text)");
      it.start();
      List<SourceRecord> first = pollUntilReading(it);
      // The position's own record comes first: a reading is no position.
      assertThat(first.get(0).sourcePartition()).isEqualTo(Map.of("server", it.database));
      it.commit(last(first));
      it.stop();

      // Nothing changed: nothing is told, and nothing is written again.
      it.start();
      it.sql("INSERT INTO t VALUES (1, 'sad')");
      List<SourceRecord> quiet = it.pollUntil(1);
      it.commit(last(quiet));
      assertThat(kinds(quiet)).containsExactly("initial");
      it.stop();

      it.sql("ALTER TYPE mood ADD VALUE 'calm'", "ALTER TABLE u ALTER v TYPE text COLLATE \"C\"");
      it.start();
      List<SourceRecord> told = pollUntilReading(it);
      assertThat(kinds(told)).containsExactly("catalog_changed", "catalog_changed");
      // Only the first event was written when the task dies: both are told again.
      it.commit(HostedTask.on(told, ".drift").get(0));
      it.stop();
      it.start();
      List<SourceRecord> again = pollUntilReading(it);
      assertThat(kinds(again)).containsExactly("catalog_changed", "catalog_changed");
      assertThat(HostedTask.on(again, ".drift"))
          .allSatisfy(
              event ->
                  assertThat(((Struct) event.value()).getString("occurrence"))
                      .isEqualTo("across_restart"));
      it.commit(last(again));
      it.stop();
      it.start();
      it.sql("INSERT INTO t VALUES (2, 'calm')");
      List<SourceRecord> after = it.pollUntil(1);
      assertThat(kinds(after)).isEmpty();
    }
  }

  @Test
  void whatDoesNotFitIsKeptAsADigestWithinTheLimit() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.with("drift.history.max.bytes", "4096");
      List<String> columns = new ArrayList<>();
      for (int i = 0; i < 900; i++) {
        columns.add("c" + Integer.toHexString(i * 7919) + " text");
      }
      it.sql("CREATE TABLE wide (id int PRIMARY KEY, " + String.join(", ", columns) + ")");
      it.start();
      it.commit(last(pollUntilReading(it)));
      it.stop();
      assertThat(it.offsets.bytes(ConnectCatalogStore.partition(it.database)))
          .isBetween(1, 4096 + 100);
      it.sql("ALTER TABLE wide ALTER c0 TYPE text COLLATE \"C\"");
      it.start();
      List<SourceRecord> told = pollUntilReading(it);
      assertThat(kinds(told)).containsExactly("catalog_changed");
      assertThat(((Struct) HostedTask.on(told, ".drift").get(0).value()).getString("detail"))
          .contains("drift.history.max.bytes", "not known what changed");
    }
  }

  private static List<String> kinds(List<SourceRecord> records) {
    return HostedTask.on(records, ".drift").stream()
        .map(record -> ((Struct) record.value()).getString("kind"))
        .toList();
  }

  private static SourceRecord last(List<SourceRecord> records) {
    return records.get(records.size() - 1);
  }

  /** Polls until the newest reading is carried by a record. */
  private static List<SourceRecord> pollUntilReading(HostedTask it) {
    return it.pollUntil(
        all -> all.stream().anyMatch(record -> record.sourcePartition().containsKey("walproof")));
  }
}
