package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.PluginFolder;
import io.walproof.cluster.WorkerProcess;
import io.walproof.cluster.WorkerSettings;
import io.walproof.connector.engine.Servers;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Workers are killed under load; the plugin lies in a folder of its own, as in production. */
class KillIT {

  private static final int KILLS = Integer.getInteger("walproof.kills", 1);

  @Test
  void nothingIsLostAndDriftIsToldAfterWorkersWereKilled() throws Exception {
    try (PluginFolder plugins = new PluginFolder();
        KafkaBroker broker = KafkaBroker.embedded()) {
      plugins.addClassPath("walproof-connector");
      WorkerSettings settings =
          new WorkerSettings(broker.bootstrapServers()).pluginPath(plugins.path());
      try (WorkerProcess one = settings.process();
          WorkerProcess two = settings.process();
          Deployment it = new Deployment(Servers.newest(), broker.bootstrapServers(), one.rest())) {
        it.sql("CREATE TABLE t (id int PRIMARY KEY, v varchar(10))");
        it.sql("CREATE TABLE bulk (id int PRIMARY KEY)");
        it.deploy();
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService writer = Executors.newSingleThreadExecutor();
        Future<Integer> written = writer.submit(() -> write(it, stop));
        int bulk = 0;
        for (int kill = 0; kill < KILLS; kill++) {
          WorkerProcess holder = holder(it, one, two);
          WorkerProcess other = holder == one ? two : one;
          it.sql(
              "INSERT INTO bulk SELECT generate_series(%d, %d)".formatted(bulk + 1, bulk + 10_000));
          bulk += 10_000;
          int sent = bulk - 10_000;
          it.until(() -> new HashSet<>(it.texts(it.name + ".public.bulk")).size() > sent);
          holder.kill();
          it.moveTo(other.rest());
          it.awaitStreaming();
          holder.start();
        }
        // D12: the table changes in the middle of a transaction, and its holder dies again.
        alterInATransaction(it);
        WorkerProcess last = holder(it, one, two);
        last.kill();
        it.moveTo((last == one ? two : one).rest());
        it.awaitStreaming();
        stop.set(true);
        int rows = written.get();
        writer.shutdown();
        it.settle();
        assertThat(new HashSet<>(it.texts(it.name + ".public.bulk"))).isEqualTo(numbers(1, bulk));
        assertThat(new HashSet<>(it.texts(it.name + ".public.t")))
            .containsAll(numbers(1, rows))
            .contains("-1", "-2", "-3", "-4");
        List<DriftEvent> drift = it.drift();
        // A crash may repeat an event; it may not make one up.
        assertThat(new HashSet<>(drift)).hasSize(3);
        assertThat(it.realDrift()).extracting(DriftEvent::kind).containsOnly(Kind.SHAPE_CHANGED);
        it.stop();
        it.resume();
        it.sql("INSERT INTO t VALUES (-5, 'x')");
        it.settle();
        assertThat(it.drift()).isEqualTo(drift);
        // The table changes while nobody listens, and another worker finds out.
        last.start();
        it.stop();
        it.sql("ALTER TABLE t ADD fresh int", "INSERT INTO t VALUES (-6, 'x', 7)");
        (last == one ? two : one).kill();
        it.moveTo(last.rest());
        it.resume();
        it.settle();
        DriftEvent event = it.drift().get(drift.size());
        assertThat(event.occurrence()).isEqualTo(Occurrence.ACROSS_RESTART);
        assertThat(event.changes()).extracting(DriftEvent.ColumnChange::column).contains("fresh");
        assertThat(it.drift()).hasSize(drift.size() + 1);
      }
    }
  }

  private static WorkerProcess holder(Deployment it, WorkerProcess one, WorkerProcess two) {
    String worker = it.rest().status(it.name).tasks().get(0).worker();
    return worker.equals(one.workerId()) ? one : two;
  }

  private static void alterInATransaction(Deployment it) throws SQLException {
    try (Connection connection = it.server.connect(it.database);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO t VALUES (-1, 'x'), (-2, 'x')");
      statement.execute("ALTER TABLE t ALTER v TYPE varchar(20)");
      statement.execute("INSERT INTO t VALUES (-3, 'x'), (-4, 'x')");
      connection.commit();
    }
  }

  private static int write(Deployment it, AtomicBoolean stop) throws SQLException {
    try (Connection connection = it.server.connect(it.database);
        Statement statement = connection.createStatement()) {
      int id = 0;
      while (!stop.get()) {
        id++;
        statement.execute("SELECT pg_logical_emit_message(true, 'marker', '')");
        statement.execute("INSERT INTO t VALUES (" + id + ", 'x')");
      }
      return id;
    }
  }

  private static Set<String> numbers(int from, int to) {
    return new HashSet<>(IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList());
  }
}
