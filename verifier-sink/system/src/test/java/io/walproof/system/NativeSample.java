package io.walproof.system;

import io.walproof.cluster.BrokerProcess;
import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.PluginFolder;
import io.walproof.cluster.WorkerProcess;
import io.walproof.cluster.WorkerSettings;
import io.walproof.embedded.PostgresServer;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;

/**
 * What the compose file brings up, as processes of this machine: broker, Connect with Debezium's
 * and Walproof's plugins from their archives, both databases with their scripts.
 */
final class NativeSample implements AutoCloseable {

  private static final String DATABASE = "shop";

  private final PostgresServer source;
  private final PostgresServer target;
  private final BrokerProcess kafka;
  private final PluginFolder plugins;
  private final WorkerProcess connect;

  private NativeSample() throws SQLException {
    source = database("source.sql");
    target = database("target.sql");
    kafka = KafkaBroker.process();
    plugins = new PluginFolder().unpack(Delivered.CONNECTOR).unpack(Delivered.VERIFIER);
    connect =
        new WorkerSettings(kafka.bootstrapServers())
            .pluginPath(plugins.path(), Delivered.PIPELINE_PLUGINS)
            .setting("config.providers", "env")
            .setting(
                "config.providers.env.class",
                "org.apache.kafka.common.config.provider.EnvVarConfigProvider")
            .environment("WALPROOF_PASSWORD", "walproof")
            .environment("PIPELINE_PASSWORD", "pipeline")
            .jvmArgument("-Xmx768m")
            .process();
  }

  static NativeSample start() throws SQLException {
    return new NativeSample();
  }

  Sample sample() {
    return new Sample(
        url(source),
        url(target),
        kafka.bootstrapServers(),
        connect.rest(),
        Map.of(
            "source:5432", address(source),
            "target:5432", address(target),
            "kafka:9092", kafka.bootstrapServers(),
            "connect:8083", connect.workerId()));
  }

  /** The worker's last log lines, for a failure's message. */
  String log() {
    return connect.logTail();
  }

  @Override
  public void close() throws IOException {
    connect.close();
    plugins.close();
    kafka.close();
    target.close();
    source.close();
  }

  private static PostgresServer database(String script) throws SQLException {
    PostgresServer server = PostgresServer.builder().start();
    server.execute("postgres", "CREATE DATABASE " + DATABASE);
    server.execute(DATABASE, Sample.script(script));
    return server;
  }

  private static String address(PostgresServer server) {
    return "127.0.0.1:" + server.port();
  }

  private static String url(PostgresServer server) {
    return server.jdbcUrl(DATABASE) + "?user=" + PostgresServer.SUPERUSER;
  }
}
