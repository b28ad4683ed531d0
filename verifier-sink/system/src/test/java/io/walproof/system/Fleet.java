package io.walproof.system;

import io.walproof.cluster.BrokerProcess;
import io.walproof.cluster.ConnectRest;
import io.walproof.cluster.ConnectorStatus;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.PluginFolder;
import io.walproof.cluster.WorkerProcess;
import io.walproof.cluster.WorkerSettings;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * Two databases joined by PostgreSQL's own replication, a broker, and two workers of one Connect
 * cluster with both plugins from their archives. Each test takes a table, a connector pair and a
 * topic prefix of one name.
 */
final class Fleet implements AutoCloseable {

  private final ReplicatedPair pair;
  private final BrokerProcess broker;
  private final PluginFolder plugins;
  private final WorkerProcess one;
  private final WorkerProcess two;

  private Fleet() throws IOException, SQLException, TimeoutException, InterruptedException {
    pair = ReplicatedPair.start(18);
    pair.join();
    broker = KafkaBroker.process();
    plugins = new PluginFolder().unpack(Delivered.CONNECTOR).unpack(Delivered.VERIFIER);
    WorkerSettings settings =
        new WorkerSettings(broker.bootstrapServers())
            .pluginPath(plugins.path())
            .setting("task.shutdown.graceful.timeout.ms", "20000");
    one = settings.process();
    two = settings.process();
  }

  static Fleet start() throws Exception {
    return new Fleet();
  }

  ReplicatedPair pair() {
    return pair;
  }

  BrokerProcess broker() {
    return broker;
  }

  /** The worker that runs the connector's task. */
  WorkerProcess workerOf(String connector, int task) {
    ConnectorStatus status = aliveRest().status(connector);
    String worker = status.tasks().get(task).worker();
    return worker.equals(one.workerId()) ? one : two;
  }

  WorkerProcess otherThan(WorkerProcess worker) {
    return worker == one ? two : one;
  }

  /** Makes both workers run. */
  void mend() {
    for (WorkerProcess worker : new WorkerProcess[] {one, two}) {
      if (!worker.isRunning()) {
        worker.start();
      }
    }
  }

  ConnectRest aliveRest() {
    return one.isRunning() ? one.rest() : two.rest();
  }

  /** Creates the table on both sides; the target loses rows whose note is {@code lost}. */
  void createTable(String table) throws SQLException, TimeoutException, InterruptedException {
    pair.onBoth("CREATE TABLE " + table + " (id bigint PRIMARY KEY, note text)");
    pair.onTarget(
        "CREATE OR REPLACE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN"
            + " CASE WHEN NEW.note = 'lost' THEN NULL ELSE NEW END; END $$",
        "CREATE TRIGGER lose BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION lose()",
        // An applier's changes fire no other triggers.
        "ALTER TABLE " + table + " ENABLE ALWAYS TRIGGER lose");
    pair.refresh();
  }

  /** Deploys the source connector {@code <table>-source} and waits until its slot is there. */
  void deploySource(String table) throws SQLException {
    deploySource(table, Map.of());
  }

  /** The same with some settings more. */
  void deploySource(String table, Map<String, String> more) throws SQLException {
    Map<String, String> config = new TreeMap<>();
    config.put("connector.class", "io.walproof.connector.PostgresDriftConnector");
    config.put("topic.prefix", table);
    config.put("database.hostname", "127.0.0.1");
    config.put("database.port", Integer.toString(pair.source().port()));
    config.put("database.dbname", ReplicatedPair.DATABASE);
    config.put("database.user", PostgresServer.SUPERUSER);
    config.put("database.password", "unused");
    config.put("slot.name", slot(table));
    config.put("publication.name", slot(table));
    config.put("table.include.list", "public\\." + table);
    config.put("topic.creation.default.replication.factor", "1");
    config.put("topic.creation.default.partitions", "4");
    config.putAll(more);
    aliveRest().deploy(table + "-source", config);
    aliveRest().awaitRunning(table + "-source", 1);
    Slots.awaitActive(pair.source(), slot(table));
  }

  /** Deploys the verifier {@code <table>-verifier}. */
  void deployVerifier(String table, int tasks, int recheckDelayMillis) {
    deployVerifier(table, tasks, recheckDelayMillis, Map.of());
  }

  /** The same with some settings more, or others. */
  void deployVerifier(String table, int tasks, int recheckDelayMillis, Map<String, String> more) {
    Map<String, String> config = new TreeMap<>();
    config.put("connector.class", "io.walproof.verifier.VerifierSinkConnector");
    config.put("tasks.max", Integer.toString(tasks));
    config.put("topics", table + ".public." + table);
    config.put("verify.source.jdbc.url", pair.source().jdbcUrl(ReplicatedPair.DATABASE));
    config.put("verify.source.user", PostgresServer.SUPERUSER);
    config.put("verify.target.jdbc.url", pair.target().jdbcUrl(ReplicatedPair.DATABASE));
    config.put("verify.target.user", PostgresServer.SUPERUSER);
    config.put("verify.topic", table + ".verify");
    config.put("verify.topic.replication.factor", "1");
    config.put("verify.producer.bootstrap.servers", broker.bootstrapServers());
    config.put("verify.replay.confirmation", "subscription");
    config.put("verify.settle.ms", "1000");
    config.put("verify.recheck.delay.ms", Integer.toString(recheckDelayMillis));
    config.put("verify.summary.interval.ms", "2000");
    // A killed worker's partitions are handed on after this.
    config.put("consumer.override.session.timeout.ms", "6000");
    config.put("consumer.override.heartbeat.interval.ms", "2000");
    config.putAll(more);
    aliveRest().deploy(table + "-verifier", config);
    aliveRest().awaitRunning(table + "-verifier", tasks);
  }

  /** The slot and the publication of a test's source connector. */
  static String slot(String table) {
    return "walproof_" + table;
  }

  @Override
  public void close() throws IOException {
    one.close();
    two.close();
    plugins.close();
    broker.close();
    pair.close();
  }
}
