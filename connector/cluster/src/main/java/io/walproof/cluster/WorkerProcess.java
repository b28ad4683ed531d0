package io.walproof.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** A worker as a process of its own. */
public final class WorkerProcess implements ConnectWorker {

  private final TempFolder home = TempFolder.create("walproof-connect");
  private final ChildJvm.Setup setup;
  private final Path file;
  private final int port = FreePort.next();
  private final ConnectRest rest = new ConnectRest("http://127.0.0.1:" + port);
  private ChildJvm jvm;

  WorkerProcess(Map<String, String> settings, ChildJvm.Setup setup) {
    this.setup = setup;
    Properties properties = new Properties();
    settings.forEach(properties::setProperty);
    properties.setProperty("listeners", "http://127.0.0.1:" + port);
    file = home.write("worker.properties", BrokerFiles.text(properties));
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "connect-closer"));
    try {
      start();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public ConnectRest rest() {
    return rest;
  }

  @Override
  public String workerId() {
    return "127.0.0.1:" + port;
  }

  @Override
  public void start() {
    if (jvm != null) {
      throw new IllegalStateException("the worker is running");
    }
    jvm =
        ChildJvm.start(
            "org.apache.kafka.connect.cli.ConnectDistributed",
            setup,
            List.of(file.toString()),
            home.path().resolve("worker.log"));
    rest.awaitHealthy(jvm::isAlive, jvm::tail);
  }

  /** Whether the worker was started and neither stopped nor killed since. */
  public boolean isRunning() {
    return jvm != null;
  }

  /** The last lines of the worker's log. */
  public String logTail() {
    return jvm == null ? "(not running)" : jvm.tail();
  }

  /** The worker's whole log, also of earlier starts. */
  public Path log() {
    return home.path().resolve("worker.log");
  }

  /** The operating system's id of the running process. */
  public long pid() {
    return jvm.pid();
  }

  @Override
  public void stop() {
    if (jvm != null) {
      jvm.stop();
      jvm = null;
    }
  }

  /** Kills the worker with SIGKILL: nothing is flushed, and its group finds out by timeout. */
  public void kill() {
    jvm.kill();
    jvm = null;
  }

  @Override
  public void close() {
    if (jvm != null) {
      kill();
    }
    home.delete();
  }
}
