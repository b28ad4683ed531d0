package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.engine.Servers;
import io.walproof.connector.offset.Position;
import io.walproof.contract.OffsetKeys;
import io.walproof.contract.topic.DriftRecord;
import io.walproof.contract.topic.RecordHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Policy dlq in Connect: what goes where, and that a task that is killed between detection,
 * emission and durability, of a diversion or of its acceptance, goes on as it was (invariants B, D,
 * E). A killed task leaves what was committed; a test commits by hand.
 */
class DlqTaskIT {

  /** A table whose name has what separates entries of drift.accept. */
  private static final String HOSTILE = "public.\"a,b=c D@e\"";

  @ParameterizedTest(name = "PostgreSQL {0}")
  @ValueSource(ints = {16, 18})
  void aTableIsDivertedUntilItsShapeIsAcceptedAndOthersAreLeftAlone(int major) throws Exception {
    try (HostedTask first = new HostedTask(Servers.of(major)).with("drift.policy", "dlq")) {
      first.sql(
          "CREATE TABLE " + HOSTILE + " (id int PRIMARY KEY)",
          "CREATE TABLE s (id int PRIMARY KEY)");
      first.start();
      first.awaitStreaming();
      first.sql("INSERT INTO " + HOSTILE + " VALUES (1)", "INSERT INTO s VALUES (1)");
      List<SourceRecord> before = first.pollUntil(2);
      first.commit(before.get(before.size() - 1));
      assertThat(on(before, "dlq"))
          .hasSize(2)
          .allSatisfy(
              mark -> {
                assertThat(string(mark, DriftRecord.KIND)).isEqualTo("initial");
                assertThat(header(mark, RecordHeaders.DLQ_MARK)).isEqualTo("first");
              });

      first.sql(
          "ALTER TABLE " + HOSTILE + " ADD w int",
          "INSERT INTO " + HOSTILE + " VALUES (2, 2)",
          "INSERT INTO s VALUES (2)",
          "UPDATE " + HOSTILE + " SET id = 3 WHERE id = 2");
      List<SourceRecord> diverted = first.pollUntil(4);
      assertThat(HostedTask.texts(on(diverted, "dlq"))).containsExactly("2", "2", "3");
      assertThat(HostedTask.texts(on(diverted, "public.s"))).containsExactly("2");
      assertThat(drift(on(diverted, "drift"))).containsExactly("shape_changed diverted");
      assertThat(drift(on(diverted, "dlq"))).containsExactly("shape_changed diverted");
      SourceRecord mark = on(diverted, "dlq").get(0);
      SourceRecord change = on(diverted, "dlq").get(1);
      assertThat(mark.valueSchema()).isEqualTo(DriftData.VALUE);
      assertThat(on(diverted, "dlq")).extracting(SourceRecord::kafkaPartition).containsOnly(0);
      String hash = string(mark, DriftRecord.CURRENT);
      assertThat(header(mark, RecordHeaders.DLQ_MARK)).isEqualTo("begin");
      assertThat(header(change, RecordHeaders.DLQ_REASON)).isEqualTo("shape_not_accepted");
      assertThat(header(change, RecordHeaders.DLQ_TABLE)).isEqualTo(HOSTILE);
      assertThat(header(change, RecordHeaders.DLQ_CURRENT)).isEqualTo(hash);
      assertThat(header(change, RecordHeaders.DLQ_PREVIOUS))
          .isEqualTo(string(mark, DriftRecord.PREVIOUS));
      assertThat(header(change, RecordHeaders.DLQ_TOPIC))
          .isEqualTo(on(before, "x0040_e").get(0).topic());
      // The position with the shape is on the change, never before it.
      assertThat(diversions(mark)).isEmpty();
      assertThat(diversions(change)).containsExactly(HOSTILE);

      // Killed between emission and durability: told again, in the same way.
      try (HostedTask again = new HostedTask(first)) {
        first.stop();
        again.start();
        List<SourceRecord> repeated = again.pollUntil(4);
        assertThat(drift(on(repeated, "drift"))).containsExactly("shape_changed diverted");
        assertThat(HostedTask.texts(on(repeated, "dlq"))).containsExactly("2", "2", "3");
        // Killed between the mark's durability and the change's.
        again.commit(on(repeated, "dlq").get(0));
      }
      String accept;
      try (HostedTask again = new HostedTask(first)) {
        again.start();
        List<SourceRecord> repeated = again.pollUntil(4);
        assertThat(drift(on(repeated, "drift"))).containsExactly("shape_changed diverted");
        again.commit(repeated.get(repeated.size() - 1));
        // Durable: a quiet restart goes on diverting, also with another policy.
        accept = HOSTILE + "=" + hash;
      }
      try (HostedTask quiet = new HostedTask(first).with("drift.policy", "report")) {
        quiet.start();
        quiet.sql("INSERT INTO " + HOSTILE + " VALUES (4, 4)", "INSERT INTO s VALUES (4)");
        List<SourceRecord> more = poll(quiet, "4", 2);
        assertThat(drift(more)).isEmpty();
        assertThat(HostedTask.texts(on(more, "dlq"))).contains("4");
        assertThat(HostedTask.texts(on(more, "public.s"))).contains("4");
        assertThat(on(more, "x0040_e")).isEmpty();
        quiet.commit(more.get(more.size() - 1));
      }

      // One more shape: the older hash does not accept it.
      String newer;
      try (HostedTask another = new HostedTask(first).with("drift.accept", "")) {
        another.start();
        another.sql(
            "ALTER TABLE " + HOSTILE + " ADD x int",
            "INSERT INTO " + HOSTILE + " VALUES (5, 5, 5)",
            "INSERT INTO s VALUES (5)");
        List<SourceRecord> more = poll(another, "5", 2);
        assertThat(drift(on(more, "drift"))).containsExactly("shape_changed diverted");
        newer = string(on(more, "drift").get(0), DriftRecord.CURRENT);
        assertThat(newer).isNotEqualTo(hash);
        assertThat(header(on(more, "dlq").get(on(more, "dlq").size() - 2), RecordHeaders.DLQ_MARK))
            .isEqualTo("again");
        another.commit(more.get(more.size() - 1));
      }
      try (HostedTask older = new HostedTask(first).with("drift.accept", accept)) {
        older.start();
        older.sql("INSERT INTO " + HOSTILE + " VALUES (6)", "INSERT INTO s VALUES (6)");
        List<SourceRecord> more = poll(older, "6", 2);
        assertThat(drift(more)).isEmpty();
        assertThat(HostedTask.texts(on(more, "dlq"))).contains("6");
        older.commit(more.get(more.size() - 1));
      }

      // Accepted, and killed before that is durable: accepted again.
      String both = accept + "," + HOSTILE + "=" + newer;
      for (boolean durable : new boolean[] {false, true}) {
        try (HostedTask accepting = new HostedTask(first).with("drift.accept", both)) {
          accepting.start();
          List<SourceRecord> told = accepting.pollUntil(all -> all.size() >= 2);
          assertThat(drift(on(told, "drift"))).containsExactly("shape_accepted accepted");
          assertThat(drift(on(told, "dlq"))).containsExactly("shape_accepted accepted");
          assertThat(header(on(told, "dlq").get(0), RecordHeaders.DLQ_MARK)).isEqualTo("end");
          assertThat(diversions(on(told, "drift").get(0))).containsExactly(HOSTILE);
          assertThat(diversions(on(told, "dlq").get(0))).isEmpty();
          if (durable) {
            accepting.commit(on(told, "dlq").get(0));
          }
        }
      }
      for (String setting : List.of(both, "")) {
        try (HostedTask after = new HostedTask(first).with("drift.accept", setting)) {
          after.start();
          String id = setting.isEmpty() ? "8" : "7";
          after.sql(
              "INSERT INTO " + HOSTILE + " VALUES (" + id + ")",
              "INSERT INTO s VALUES (" + id + ")");
          List<SourceRecord> more = poll(after, id, 2);
          assertThat(drift(more)).isEmpty();
          assertThat(on(more, "dlq")).isEmpty();
          assertThat(HostedTask.texts(on(more, "x0040_e"))).contains(id);
          after.commit(more.get(more.size() - 1));
        }
      }
      // The accepted shape coming back is drift, and the entry from before does not accept it.
      try (HostedTask back = new HostedTask(first).with("drift.accept", both)) {
        back.sql(
            "ALTER TABLE " + HOSTILE + " DROP x",
            "INSERT INTO " + HOSTILE + " VALUES (9, 9)",
            "INSERT INTO s VALUES (9)");
        back.with("drift.policy", "dlq").start();
        List<SourceRecord> more = poll(back, "9", 2);
        assertThat(drift(on(more, "drift"))).containsExactly("shape_changed diverted");
        back.commit(more.get(more.size() - 1));
      }
      try (HostedTask still = new HostedTask(first).with("drift.accept", both)) {
        still.start();
        still.sql("INSERT INTO " + HOSTILE + " VALUES (10)", "INSERT INTO s VALUES (10)");
        List<SourceRecord> more = poll(still, "10", 2);
        assertThat(drift(more)).isEmpty();
        assertThat(HostedTask.texts(on(more, "dlq"))).contains("10");
      }
    }
  }

  /** Whoever reads the topic learns that nobody will accept what waits there. */
  @Test
  void resettingTheOffsetsForgetsADiversionAndTheTopicSaysSo() throws Exception {
    try (HostedTask task = new HostedTask(Servers.newest()).with("drift.policy", "dlq")) {
      task.sql("CREATE TABLE t (id int PRIMARY KEY)");
      task.start();
      task.awaitStreaming();
      task.sql(
          "INSERT INTO t VALUES (1)", "ALTER TABLE t ADD w int", "INSERT INTO t VALUES (2, 2)");
      List<SourceRecord> before = poll(task, "2", 1);
      assertThat(HostedTask.texts(on(before, "dlq"))).containsExactly("2");
      task.commit(before.get(before.size() - 1));
      task.stop();
      // All of it was confirmed by then.
      task.sql(
          "SELECT pg_replication_slot_advance('"
              + task.config.get("slot.name")
              + "', pg_current_wal_lsn())");
      task.offsets.reset();
      task.start();
      task.sql("INSERT INTO t VALUES (3, 3)");
      List<SourceRecord> after = poll(task, "3", 1);
      assertThat(HostedTask.texts(on(after, "public.t"))).containsExactly("3");
      assertThat(on(after, "drift"))
          .extracting(event -> string(event, DriftRecord.KIND))
          .contains("initial");
      SourceRecord mark = on(after, "dlq").get(0);
      assertThat(on(after, "dlq")).hasSize(1);
      assertThat(header(mark, RecordHeaders.DLQ_MARK)).isEqualTo("first");
      assertThat(((Struct) mark.value()).getInt64(DriftRecord.LSN))
          .isGreaterThan(((Struct) on(before, "dlq").get(0).value()).getInt64(DriftRecord.LSN));
    }
  }

  /** Offsets longer than the limit may be more than the worker's offsets topic takes. */
  @Test
  void moreDivertedTablesThanTheHistoryHoldsEndTheTaskAndNothingIsLost() throws Exception {
    int limit = 4096;
    // With the names of all, nine diverted ones have room, and ten have not.
    List<String> tables =
        IntStream.range(0, 18).mapToObj(i -> "t" + (10 + i) + "x".repeat(60)).toList();
    List<String> changed = tables.subList(0, 10);
    try (HostedTask first =
        new HostedTask(Servers.newest())
            .with("drift.policy", "dlq")
            .with("drift.history.max.bytes", Integer.toString(limit))) {
      for (String table : tables) {
        first.sql("CREATE TABLE " + table + " (id int PRIMARY KEY)");
      }
      first.start();
      first.awaitStreaming();
      for (String table : tables) {
        first.sql("INSERT INTO " + table + " VALUES (1)");
      }
      first.commit(last(first.pollUntil(tables.size())));
      first.stop();
      // Together, so that one batch has them: what comes before the end is told none the less.
      first.sql(
          changed.stream()
              .map(t -> "ALTER TABLE " + t + " ADD w int; INSERT INTO " + t + " VALUES (2)")
              .collect(Collectors.joining("; ")));
      List<SourceRecord> told = new ArrayList<>();
      try (HostedTask full = new HostedTask(first)) {
        full.start();
        assertThatThrownBy(
                () ->
                    full.pollUntil(
                        all -> {
                          told.addAll(all.subList(told.size(), all.size()));
                          return false;
                        }))
            .isInstanceOf(ConnectException.class)
            .hasMessageContainingAll(
                "drift.history.max.bytes=4096 has no room", "drift.accept", "max.message.bytes");
        assertThat(tables(on(told, "dlq"))).isEqualTo(Set.copyOf(changed.subList(0, 9)));
        full.commit(last(told));
      }

      SourceRecord diverted = on(told, "dlq").get(0);
      String accept =
          header(diverted, RecordHeaders.DLQ_TABLE)
              + "="
              + header(diverted, RecordHeaders.DLQ_CURRENT);
      try (HostedTask again = new HostedTask(first).with("drift.accept", accept)) {
        again.start();
        List<SourceRecord> rest =
            again.pollUntil(all -> tables(on(all, "dlq")).contains(changed.get(9)));
        assertThat(diversions(last(rest))).hasSize(9);
        assertThat((String) last(rest).sourceOffset().get(OffsetKeys.SCHEMA_HISTORY))
            .hasSizeLessThanOrEqualTo(limit);
      }
    }
  }

  private static Set<String> tables(List<SourceRecord> records) {
    return HostedTask.keys(records).stream()
        .map(key -> key.table().name())
        .collect(Collectors.toSet());
  }

  @Test
  void rowsAreDivertedAsTheyAreTombstonesToo() throws Exception {
    try (HostedTask task =
        new HostedTask(Servers.newest())
            .with("drift.policy", "dlq")
            .with("feed.values", "rows")
            .with("tombstones.on.delete", "true")) {
      task.sql("CREATE TABLE t (id int PRIMARY KEY)", "CREATE TABLE s (id int PRIMARY KEY)");
      task.start();
      task.awaitStreaming();
      task.sql("INSERT INTO t VALUES (1)");
      List<SourceRecord> all = task.pollUntil(read -> on(read, "public.t").size() == 1);
      task.sql(
          "ALTER TABLE t ADD w int",
          "INSERT INTO t VALUES (2, 2)",
          "DELETE FROM t WHERE id = 1",
          "DELETE FROM t WHERE id = 2",
          "INSERT INTO s VALUES (1)",
          "DELETE FROM s");
      all.addAll(task.pollUntil(read -> on(read, "public.s").size() == 3));
      assertThat(on(all, "public.t")).hasSize(1);
      List<SourceRecord> diverted =
          on(all, "dlq").stream()
              .filter(record -> record.headers().lastWithName(RecordHeaders.DLQ_MARK) == null)
              .toList();
      assertThat(diverted)
          .extracting(
              record -> record.value() == null ? "" : ((Struct) record.value()).getString("op"))
          .containsExactly("c", "d", "", "d", "");
      assertThat(diverted)
          .allSatisfy(
              record -> {
                assertThat(header(record, RecordHeaders.DLQ_REASON)).isNotEmpty();
                assertThat(header(record, RecordHeaders.DLQ_TOPIC)).endsWith("public.t");
              });
    }
  }

  @Test
  void aTableThatIsNotThereIsRefused() throws Exception {
    String hash = "0123456789abcdef0123456789abcdef";
    try (HostedTask task =
        new HostedTask(Servers.newest()).with("drift.accept", "public.Nope=" + hash)) {
      task.sql("CREATE TABLE t (id int PRIMARY KEY)");
      task.start();
      assertThatThrownBy(() -> task.pollUntil(all -> false))
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("drift.accept names public.nope");
    }
  }

  private static SourceRecord last(List<SourceRecord> records) {
    return records.get(records.size() - 1);
  }

  /** Polls until so many keys with the text were delivered, or come again from before. */
  private static List<SourceRecord> poll(HostedTask task, String text, int times) {
    return task.pollUntil(
        all -> HostedTask.texts(all).stream().filter(text::equals).count() == times);
  }

  private static List<SourceRecord> on(List<SourceRecord> records, String suffix) {
    return HostedTask.on(records, "." + suffix).isEmpty()
        ? HostedTask.on(records, suffix)
        : HostedTask.on(records, "." + suffix);
  }

  private static List<String> drift(List<SourceRecord> records) {
    return records.stream()
        .filter(record -> record.valueSchema() == DriftData.VALUE)
        .filter(record -> !string(record, DriftRecord.KIND).equals("initial"))
        .map(record -> string(record, DriftRecord.KIND) + " " + string(record, DriftRecord.ACTION))
        .toList();
  }

  private static List<String> diversions(SourceRecord record) {
    return List.copyOf(Position.of(record.sourceOffset()).history().diversions().keySet());
  }

  private static String string(SourceRecord record, String field) {
    return ((Struct) record.value()).getString(field);
  }

  private static String header(SourceRecord record, String name) {
    return String.valueOf(record.headers().lastWithName(name).value());
  }
}
