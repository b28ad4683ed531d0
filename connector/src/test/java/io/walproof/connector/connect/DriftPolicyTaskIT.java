package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.walproof.connector.engine.Servers;
import java.util.List;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** The policies in Connect: a halt waits for the worker's commit, and a restart goes on. */
class DriftPolicyTaskIT {

  @Test
  void aHaltFailsTheTaskOnlyWhenTheOffsetOfItsEventIsCommitted() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest()).with("drift.policy", "halt")) {
      started(it);
      it.sql("INSERT INTO t VALUES (2)", "ALTER TABLE t ADD w int", "INSERT INTO t VALUES (3)");
      it.sql("INSERT INTO s VALUES (1)");
      List<SourceRecord> records = untilDrift(it);
      assertThat(HostedTask.texts(records)).containsExactly("2");
      SourceRecord event = HostedTask.on(records, ".drift").get(0);
      assertThat(((Struct) event.value()).getString("action")).isEqualTo("halted");
      // Written, and its offset not committed: nothing behind it is sent, and the task lives.
      for (int i = 0; i < 10; i++) {
        assertThat(HostedTask.keys(it.poll())).isEmpty();
      }
      // The task dies here: the event is sent again, and so is the halt.
      it.stop();
      it.start();
      SourceRecord again = HostedTask.on(untilDrift(it), ".drift").get(0);
      assertThat(((Struct) again.value()).getInt64("lsn"))
          .isEqualTo(((Struct) event.value()).getInt64("lsn"));
      it.commit(again);
      assertThatThrownBy(() -> await().atMost(Deployment.PATIENCE).until(() -> it.poll() == null))
          .hasStackTraceContaining("halted on drift of public.t");
      it.stop();

      it.start();
      List<SourceRecord> rest = it.pollUntil(2);
      assertThat(HostedTask.texts(rest)).containsExactly("3", "1");
      assertThat(HostedTask.on(rest, ".drift"))
          .extracting(record -> ((Struct) record.value()).getString("kind"))
          .containsExactly("initial");
    }
  }

  @Test
  void evolveGoesOnAfterAnAdditionAndHaltsOnARemoval() throws Exception {
    try (HostedTask it = new HostedTask(Servers.newest()).with("drift.policy", "evolve")) {
      started(it);
      it.sql("ALTER TABLE t ADD w int", "INSERT INTO t VALUES (2)");
      List<SourceRecord> records = it.pollUntil(1);
      assertThat(HostedTask.texts(records)).containsExactly("2");
      assertThat(((Struct) HostedTask.on(records, ".drift").get(0).value()).getString("action"))
          .isEqualTo("accepted");
      it.sql("ALTER TABLE t DROP w", "INSERT INTO t VALUES (3)");
      List<SourceRecord> halted = untilDrift(it);
      assertThat(HostedTask.texts(halted)).isEmpty();
      assertThat(((Struct) HostedTask.on(halted, ".drift").get(0).value()).getString("action"))
          .isEqualTo("halted");
    }
  }

  private static void started(HostedTask it) throws Exception {
    it.sql("CREATE TABLE t (id int PRIMARY KEY)", "CREATE TABLE s (id int PRIMARY KEY)");
    it.start();
    it.awaitStreaming();
    it.sql("INSERT INTO t VALUES (1)");
    List<SourceRecord> first = it.pollUntil(1);
    it.commit(first.get(first.size() - 1));
  }

  private static List<SourceRecord> untilDrift(HostedTask it) {
    return it.pollUntil(all -> !HostedTask.on(all, ".drift").isEmpty());
  }
}
