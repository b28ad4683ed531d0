package io.walproof.cluster;

import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/** A broker in this JVM. */
public final class EmbeddedBroker implements KafkaBroker {

  private final BrokerFiles files;
  private KafkaRaftServer server;

  EmbeddedBroker(Map<String, String> settings) {
    files = new BrokerFiles(settings);
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "kafka-closer"));
    start();
  }

  @Override
  public String bootstrapServers() {
    return files.bootstrapServers();
  }

  @Override
  public void start() {
    if (server != null) {
      throw new IllegalStateException("the broker is running");
    }
    KafkaRaftServer starting =
        new KafkaRaftServer(KafkaConfig.fromProps(files.properties(), false), Time.SYSTEM);
    starting.startup();
    server = starting;
    BrokerProbe.await(bootstrapServers(), () -> true, () -> "it runs in this JVM");
  }

  @Override
  public void stop() {
    if (server != null) {
      KafkaRaftServer stopping = server;
      server = null;
      stopping.shutdown();
      stopping.awaitShutdown();
    }
  }

  @Override
  public void close() {
    try {
      stop();
    } finally {
      files.home().delete();
    }
  }
}
