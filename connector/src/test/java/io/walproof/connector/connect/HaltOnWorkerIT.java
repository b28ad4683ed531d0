package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.cluster.ConnectWorker;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.WorkerSettings;
import io.walproof.connector.engine.Servers;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import org.junit.jupiter.api.Test;

/** A halt in Connect: the event and its position are written first, then the task fails. */
class HaltOnWorkerIT {

  @Test
  void aHaltFailsTheTaskBehindTheEventAndARestartGoesOn() throws Exception {
    try (KafkaBroker broker = KafkaBroker.embedded();
        ConnectWorker worker = new WorkerSettings(broker.bootstrapServers()).embedded();
        Deployment it =
            new Deployment(Servers.newest(), broker.bootstrapServers(), worker.rest())) {
      it.with("drift.policy", "halt");
      it.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      it.deploy();
      it.sql("INSERT INTO t VALUES (1, 'a')");
      it.settle();
      it.sql("ALTER TABLE t DROP v", "INSERT INTO t VALUES (2)", "INSERT INTO t VALUES (3)");
      String trace = it.rest().awaitFailed(it.name).tasks().get(0).trace();
      assertThat(trace).contains("halted on drift of public.t");
      assertThat(it.texts(it.name + ".public.t")).containsExactly("1");
      assertThat(it.realDrift()).extracting(DriftEvent::kind).containsExactly(Kind.SHAPE_CHANGED);
      // The restart is the operator's approval.
      it.rest().restart(it.name);
      it.until(() -> it.texts(it.name + ".public.t").contains("3"));
      assertThat(it.texts(it.name + ".public.t")).contains("2", "3");
      assertThat(it.realDrift()).hasSize(1);
    }
  }
}
