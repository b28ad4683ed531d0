package io.walproof.cluster;

import java.util.List;
import java.util.Map;

/** A broker as a process of its own. */
public final class BrokerProcess implements KafkaBroker {

  private final BrokerFiles files;
  private final ServerProcess server;

  BrokerProcess(Map<String, String> settings) {
    files = new BrokerFiles(settings);
    server =
        new ServerProcess(
                "broker",
                files.home(),
                this::launch,
                jvm -> BrokerProbe.await(bootstrapServers(), jvm::isAlive, jvm::tail))
            .startOrClose();
  }

  private ChildJvm launch() {
    return ChildJvm.start(
        "kafka.Kafka",
        new ChildJvm.Setup(ClassPath.ofThisJvm(), List.of("-Xmx256m"), Map.of()),
        List.of(files.file().toString()),
        ChildLog.file(files.home(), "broker-" + files.port()));
  }

  @Override
  public String bootstrapServers() {
    return files.bootstrapServers();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void stop() {
    server.stop();
  }

  /** Kills the broker with SIGKILL; {@link #start()} brings it back with its data. */
  public void kill() {
    server.kill();
  }

  /** Keeps the broker from running (SIGSTOP), with all its connections open. */
  public void freeze() {
    server.freeze();
  }

  /** Lets a frozen broker go on. */
  public void thaw() {
    server.thaw();
  }

  @Override
  public void close() {
    server.close();
  }
}
