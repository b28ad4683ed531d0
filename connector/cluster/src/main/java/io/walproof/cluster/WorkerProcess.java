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
            ChildLog.file(home, "worker-" + port));
    rest.awaitHealthy(jvm::isAlive, jvm::tail);
  }

  /** Whether the worker was started and neither stopped nor killed since. */
  public boolean isRunning() {
    return jvm != null;
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
