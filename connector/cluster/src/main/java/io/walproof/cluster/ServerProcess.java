package io.walproof.cluster;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A server in a process of its own, which a test may stop, kill and start again with the same
 * files. Closed, at the latest when this JVM ends, it is killed and its files are deleted. Not
 * thread-safe.
 */
final class ServerProcess implements AutoCloseable {

  private final String name;
  private final TempFolder home;
  private final Supplier<ChildJvm> launch;
  private final Consumer<ChildJvm> awaitReady;
  private ChildJvm jvm;

  /**
   * Starts nothing yet.
   *
   * @param name what it is, for messages
   * @param home deleted on close
   * @param launch starts the process
   * @param awaitReady returns once the process answers, and throws when it ended or does not in
   *     time
   */
  ServerProcess(
      String name, TempFolder home, Supplier<ChildJvm> launch, Consumer<ChildJvm> awaitReady) {
    this.name = name;
    this.home = home;
    this.launch = launch;
    this.awaitReady = awaitReady;
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, name + "-closer"));
  }

  /** The first start: a server that does not come up leaves nothing behind. */
  ServerProcess startOrClose() {
    try {
      start();
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  void start() {
    if (jvm != null) {
      throw new IllegalStateException("the " + name + " is running");
    }
    jvm = launch.get();
    awaitReady.accept(jvm);
  }

  boolean isRunning() {
    return jvm != null;
  }

  void stop() {
    if (jvm != null) {
      jvm.stop();
      jvm = null;
    }
  }

  void kill() {
    jvm.kill();
    jvm = null;
  }

  void freeze() {
    jvm.freeze();
  }

  void thaw() {
    jvm.thaw();
  }

  @Override
  public void close() {
    if (jvm != null) {
      kill();
    }
    home.delete();
  }
}
