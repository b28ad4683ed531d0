package io.walproof.cluster;

import io.walproof.embedded.FreePort;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** A worker as a process of its own. */
public final class WorkerProcess implements ConnectWorker {

  private final int port = FreePort.next();
  private final ConnectRest rest = new ConnectRest("http://127.0.0.1:" + port);
  private final ServerProcess server;

  WorkerProcess(Map<String, String> settings, ChildJvm.Setup setup) {
    TempFolder home = TempFolder.create("walproof-connect");
    Properties properties = new Properties();
    settings.forEach(properties::setProperty);
    properties.setProperty("listeners", "http://127.0.0.1:" + port);
    Path file = home.write("worker.properties", BrokerFiles.text(properties));
    server =
        new ServerProcess(
                "worker",
                home,
                () ->
                    ChildJvm.start(
                        "org.apache.kafka.connect.cli.ConnectDistributed",
                        setup,
                        List.of(file.toString()),
                        ChildLog.file(home, "worker-" + port)),
                jvm -> rest.awaitHealthy(jvm::isAlive, jvm::tail))
            .startOrClose();
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
    server.start();
  }

  /** Whether the worker was started and neither stopped nor killed since. */
  public boolean isRunning() {
    return server.isRunning();
  }

  @Override
  public void stop() {
    server.stop();
  }

  /** Kills the worker with SIGKILL: nothing is flushed, and its group finds out by timeout. */
  public void kill() {
    server.kill();
  }

  /** Keeps the worker from running (SIGSTOP), with all its connections open. */
  public void freeze() {
    server.freeze();
  }

  /** Lets a frozen worker go on. */
  public void thaw() {
    server.thaw();
  }

  @Override
  public void close() {
    server.close();
  }
}
