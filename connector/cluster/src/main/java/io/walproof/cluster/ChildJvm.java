package io.walproof.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A child JVM on a {@link Leash}, with its output in a file. It is killed when this JVM ends. Not
 * thread-safe.
 */
final class ChildJvm {

  private static final long STOP_SECONDS = 30;
  private static final int TAIL_CHARACTERS = 4000;

  /** For logback, found on the class path that the {@link Leash} is on. */
  private static final String LOGGING =
      "-Dlogback.configurationFile=io/walproof/cluster/child-logback.xml";

  /** A server that a test starts lives for seconds, and shares few processors with others. */
  private static final List<String> LIGHT = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** Held strongly: a collected process would close the pipe that is the leash. */
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "child-jvm-killer"));
  }

  private final Process process;
  private final Path log;

  private ChildJvm(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * How a JVM is set up.
   *
   * @param jvmArguments come before the class path
   * @param environment is added to this JVM's own
   */
  record Setup(List<Path> classPath, List<String> jvmArguments, Map<String, String> environment) {}

  /** Starts a JVM that logs warnings; its output is appended to the log. */
  static ChildJvm start(String mainClass, Setup setup, List<String> arguments, Path log) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(LIGHT);
    command.addAll(setup.jvmArguments());
    command.add(LOGGING);
    command.add("-cp");
    command.add(setup.classPath().stream().map(Path::toString).collect(Collectors.joining(":")));
    command.add(Leash.class.getName());
    command.add(mainClass);
    command.addAll(arguments);
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.environment().putAll(setup.environment());
      Process process = builder.start();
      RUNNING.add(process);
      return new ChildJvm(process, log);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + mainClass, e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Asks the process to end (SIGTERM), and kills it if it has not after half a minute. */
  void stop() {
    process.destroy();
    if (!ended(STOP_SECONDS)) {
      kill();
    }
    RUNNING.remove(process);
  }

  /** Kills the process (SIGKILL) and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    if (!ended(STOP_SECONDS)) {
      throw new IllegalStateException("process " + process.pid() + " survived being killed");
    }
    RUNNING.remove(process);
  }

  /** Keeps the process from running (SIGSTOP): its connections stay open and nobody answers. */
  void freeze() {
    signal("STOP");
  }

  /** Lets it go on. */
  void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      int status =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      if (status != 0) {
        throw new IllegalStateException("SIG" + name + " could not be sent to " + process.pid());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run kill", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a signal was sent", e);
    }
  }

  /** The last lines that the process wrote. */
  String tail() {
    try {
      String all =
          Files.exists(log)
              ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
              : "(nothing)";
      return all.substring(Math.max(0, all.length() - TAIL_CHARACTERS));
    } catch (IOException e) {
      return "(unreadable: " + e.getMessage() + ")";
    }
  }

  private boolean ended(long seconds) {
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      RUNNING.remove(process);
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a child JVM was ending", e);
    }
  }
}
