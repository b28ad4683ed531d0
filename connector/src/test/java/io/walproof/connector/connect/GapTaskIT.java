package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.connector.engine.Servers;
import io.walproof.contract.OffsetKeys;
import io.walproof.contract.topic.DriftRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An accepted gap in Connect: remembered in the offsets before the source hides it. */
@Timeout(300)
class GapTaskIT {

  @Test
  void anAcceptedGapIsDurableBeforeItIsInvisibleAndToldUntilItsOffsetIsCommitted()
      throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest())) {
      it.sql("CREATE TABLE t (id int PRIMARY KEY)", "CREATE TABLE s (id int PRIMARY KEY)");
      it.start();
      it.awaitStreaming();
      it.sql("INSERT INTO t VALUES (1)", "INSERT INTO s VALUES (1)");
      List<SourceRecord> first = it.pollUntil(2);
      it.commit(first.get(first.size() - 1));
      it.stop();
      it.sql(
          "DROP TABLE t, s",
          "CREATE TABLE t (id int PRIMARY KEY)",
          "CREATE TABLE s (id int PRIMARY KEY)");
      it.with("drift.accept.gap", "true");
      it.start();
      List<SourceRecord> intent = pollUntil(it, record -> owed(record) != null);
      assertThat(owed(intent.get(intent.size() - 1))).contains("public.t", "public.s");
      // It is not committed yet, so the source still shows the gap.
      assertThat(published(it)).isEqualTo("0");
      it.commit(intent.get(intent.size() - 1));
      await().atMost(Deployment.PATIENCE).until(() -> published(it).equals("2"));
      List<SourceRecord> told = gaps(it);
      assertThat(told).hasSize(2);
      // The first event claims no more than that both are owed.
      assertThat(owed(told.get(0))).contains("public.t", "public.s");
      assertThat(owed(told.get(1))).isNull();
      it.commit(told.get(0));
      it.stop();

      it.with("drift.accept.gap", "false");
      // The gap is told to end later, then.
      it.sql("CREATE TABLE u (id int PRIMARY KEY)");
      it.start();
      List<SourceRecord> again = gaps(it);
      assertThat(begins(again)).isEqualTo(begins(told)).hasSize(2);
      it.commit(again.get(1));
      it.stop();
      it.start();
      it.sql("INSERT INTO t VALUES (2)");
      // The catalog's reading was not committed, so that what it finds may be told once more.
      assertThat(HostedTask.on(pollUntil(it, GapTaskIT::isRecreated), ".drift"))
          .extracting(GapTaskIT::kind)
          .containsOnlyOnce("table_recreated")
          .isSubsetOf("table_recreated", "catalog_changed", "gap");
    }
  }

  private static String kind(SourceRecord record) {
    return ((Struct) record.value()).getString("kind");
  }

  private static boolean isRecreated(SourceRecord record) {
    return record.topic().endsWith(".drift") && kind(record).equals("table_recreated");
  }

  private static List<SourceRecord> gaps(HostedTask it) {
    List<SourceRecord> all =
        pollUntil(it, record -> record.topic().endsWith(".drift") && owed(record) == null);
    return HostedTask.on(all, ".drift").stream()
        .filter(record -> kind(record).equals("gap"))
        .toList();
  }

  /** By table: what a gap is recognised by when it is told again. */
  private static Map<Object, Object> begins(List<SourceRecord> gaps) {
    Map<Object, Object> begins = new HashMap<>();
    for (SourceRecord gap : gaps) {
      Struct value = (Struct) gap.value();
      assertThat(value.get(DriftRecord.FROM)).isNotNull();
      begins.put(value.get(DriftRecord.TABLE), value.get(DriftRecord.FROM));
    }
    return begins;
  }

  private static String owed(SourceRecord record) {
    return (String) record.sourceOffset().get(OffsetKeys.UNPUBLISHED);
  }

  private static String published(HostedTask it) throws Exception {
    try (var connection = it.server.connect(it.database);
        var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT count(*) FROM pg_publication_tables")) {
      row.next();
      return row.getString(1);
    }
  }

  private static List<SourceRecord> pollUntil(HostedTask it, Predicate<SourceRecord> wanted) {
    return it.pollUntil(all -> all.stream().anyMatch(wanted));
  }
}
