package io.walproof.cluster;

import java.util.List;
import java.util.Map;

/** A broker as a process of its own. */
public final class BrokerProcess implements KafkaBroker {

  private final BrokerFiles files;
  private ChildJvm jvm;

  BrokerProcess(Map<String, String> settings) {
    files = new BrokerFiles(settings);
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "kafka-closer"));
    try {
      start();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public String bootstrapServers() {
    return files.bootstrapServers();
  }

  @Override
  public void start() {
    if (jvm != null) {
      throw new IllegalStateException("the broker is running");
    }
    jvm =
        ChildJvm.start(
            "kafka.Kafka",
            new ChildJvm.Setup(ClassPath.ofThisJvm(), List.of("-Xmx256m"), Map.of()),
            List.of(files.file().toString()),
            ChildLog.file(files.home(), "broker-" + files.port()));
    BrokerProbe.await(bootstrapServers(), jvm::isAlive, jvm::tail);
  }

  @Override
  public void stop() {
    if (jvm != null) {
      jvm.stop();
      jvm = null;
    }
  }

  /** Kills the broker with SIGKILL; {@link #start()} brings it back with its data. */
  public void kill() {
    jvm.kill();
    jvm = null;
  }

  @Override
  public void close() {
    if (jvm != null) {
      kill();
    }
    files.home().delete();
  }
}
