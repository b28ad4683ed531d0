package io.walproof.cluster;

import io.walproof.embedded.FreePort;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.connect.cli.ConnectDistributed;
import org.apache.kafka.connect.runtime.Connect;
import org.apache.kafka.connect.runtime.distributed.DistributedHerder;

/** A worker in this JVM. Plugins on this JVM's class path are there without isolation. */
public final class EmbeddedWorker implements ConnectWorker {

  private final Map<String, String> properties;
  private final int port = FreePort.next();
  private final ConnectRest rest = new ConnectRest("http://127.0.0.1:" + port);
  private Connect<DistributedHerder> connect;

  EmbeddedWorker(Map<String, String> settings) {
    Map<String, String> complete = new HashMap<>(settings);
    complete.put("listeners", "http://127.0.0.1:" + port);
    properties = Map.copyOf(complete);
    start();
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
    if (connect != null) {
      throw new IllegalStateException("the worker is running");
    }
    // A failing start would end this JVM.
    Exit.setExitProcedure(
        (status, message) -> {
          throw new IllegalStateException("the worker ended with " + status + ": " + message);
        });
    // Connect leaves its own class loader behind on the thread that starts it.
    ClassLoader own = Thread.currentThread().getContextClassLoader();
    try {
      connect = new ConnectDistributed().startConnect(properties);
    } finally {
      Thread.currentThread().setContextClassLoader(own);
    }
    rest.awaitHealthy(() -> true, () -> "it runs in this JVM");
  }

  @Override
  public void stop() {
    if (connect != null) {
      Connect<DistributedHerder> stopping = connect;
      connect = null;
      stopping.stop();
      stopping.awaitStop();
    }
  }

  @Override
  public void close() {
    stop();
  }
}
