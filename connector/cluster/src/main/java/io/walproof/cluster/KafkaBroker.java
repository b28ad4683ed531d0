package io.walproof.cluster;

import java.util.Map;

/**
 * One Kafka broker on a free port of 127.0.0.1. It keeps its port and its data over {@link #stop()}
 * and {@link #start()}; {@link #close()} deletes the data. Not thread-safe.
 */
public sealed interface KafkaBroker extends AutoCloseable permits EmbeddedBroker, BrokerProcess {

  /** A running broker in this JVM: up in about two seconds. */
  static EmbeddedBroker embedded() {
    return embedded(Map.of());
  }

  /** The same with broker settings of its own. */
  static EmbeddedBroker embedded(Map<String, String> settings) {
    return new EmbeddedBroker(settings);
  }

  /** A running broker as a process of its own, which can be killed. */
  static BrokerProcess process() {
    return process(Map.of());
  }

  /** The same with broker settings of its own. */
  static BrokerProcess process(Map<String, String> settings) {
    return new BrokerProcess(settings);
  }

  /** Host and port for clients; the same for the broker's whole life. */
  String bootstrapServers();

  /** Starts the stopped broker again, on its port and with its data; returns once it answers. */
  void start();

  /** Stops the broker in order and keeps its data; does nothing if it is not running. */
  void stop();

  /** Stops the broker and deletes its data. */
  @Override
  void close();
}
