package io.walproof.standalone.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM on this one's class path, with a heap of its own. Killed on close. */
final class ChildJvm implements AutoCloseable {

  private final Process process;

  private ChildJvm(Process process) {
    this.process = process;
  }

  /**
   * Starts one; its standard error is ours.
   *
   * @param heap the limit, as {@code -Xmx} takes it
   * @param output where standard output goes
   * @param main the class to run
   */
  static ChildJvm start(String heap, Path output, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Asks it to end, as SIGTERM does. */
  void terminate() {
    process.destroy();
  }

  /** Waits for its end; gives its exit status. */
  int await(Duration atMost) throws InterruptedException {
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("the child JVM did not end within " + atMost);
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
