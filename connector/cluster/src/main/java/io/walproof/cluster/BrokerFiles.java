package io.walproof.cluster;

import io.walproof.embedded.FreePort;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** The configuration and the formatted data folder of a single broker with its own controller. */
final class BrokerFiles {

  private static final int NODE = 1;

  private final TempFolder home = TempFolder.create("walproof-kafka");
  private final int port = FreePort.next();
  private final Properties properties = new Properties();

  BrokerFiles(Map<String, String> settings) {
    int controllerPort = FreePort.next();
    Path data = home.path().resolve("data");
    Map<String, String> defaults = new TreeMap<>();
    defaults.put("process.roles", "broker,controller");
    defaults.put("node.id", Integer.toString(NODE));
    defaults.put(
        "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
    defaults.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
    defaults.put("controller.listener.names", "CONTROLLER");
    defaults.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    defaults.put("controller.quorum.voters", NODE + "@127.0.0.1:" + controllerPort);
    defaults.put("log.dirs", data.toString());
    // One of everything, and no waiting for more members of a group.
    defaults.put("num.partitions", "1");
    defaults.put("offsets.topic.replication.factor", "1");
    defaults.put("offsets.topic.num.partitions", "4");
    defaults.put("transaction.state.log.replication.factor", "1");
    defaults.put("transaction.state.log.min.isr", "1");
    defaults.put("transaction.state.log.num.partitions", "4");
    defaults.put("share.coordinator.state.topic.replication.factor", "1");
    defaults.put("share.coordinator.state.topic.min.isr", "1");
    defaults.put("group.initial.rebalance.delay.ms", "0");
    // A broker that was killed is not admitted again before its old session ends.
    defaults.put("broker.heartbeat.interval.ms", "500");
    defaults.put("broker.session.timeout.ms", "4000");
    // Small: a test's broker holds little, and index files are allocated up front.
    defaults.put("log.segment.bytes", "67108864");
    defaults.put("log.index.size.max.bytes", "1048576");
    defaults.put("log.cleaner.dedupe.buffer.size", "2097152");
    defaults.putAll(settings);
    defaults.forEach(properties::setProperty);
    format(data);
  }

  String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  Properties properties() {
    return properties;
  }

  TempFolder home() {
    return home;
  }

  /** The configuration as a file, for a process. */
  Path file() {
    return home.write("server.properties", text(properties));
  }

  static String text(Properties properties) {
    StringWriter writer = new StringWriter();
    try {
      properties.store(writer, null);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write into memory", e);
    }
    return writer.toString();
  }

  private void format(Path data) {
    try {
      new Formatter()
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .setNodeId(NODE)
          .setClusterId(Uuid.randomUuid().toString())
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setControllerListenerName("CONTROLLER")
          .setMetadataLogDirectory(data.toString())
          .setDirectories(List.of(data.toString()))
          .run();
    } catch (Exception e) {
      home.delete();
      throw new IllegalStateException("cannot format the broker's data folder", e);
    }
  }
}
