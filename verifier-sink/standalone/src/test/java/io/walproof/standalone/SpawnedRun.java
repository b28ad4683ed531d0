package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code walproof run} as a process of its own, from the jar that the build leaves. */
final class SpawnedRun implements AutoCloseable {

  private static final Path JAR = Path.of("target", "walproof.jar");

  private final Process process;
  private final Path out;
  private final Path err;

  private SpawnedRun(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  static SpawnedRun start(Path directory, Path config, List<String> more) throws IOException {
    return start(directory, "run", config, more);
  }

  static SpawnedRun start(Path directory, String name, Path config, List<String> more)
      throws IOException {
    return start(directory, List.of(), name, config, more);
  }

  static SpawnedRun start(
      Path directory, List<String> jvmArguments, String name, Path config, List<String> more)
      throws IOException {
    // A suite that was started in the background ignores SIGINT, or SIGHUP, and so would its
    // children.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT,TERM,HUP"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Starts fast, and leaves memory to the servers.
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(jvmArguments);
    command.addAll(List.of("-jar", JAR.toAbsolutePath().toString()));
    command.addAll(List.of(name, "--config", config.toString()));
    command.addAll(more);
    Path out = Files.createTempFile(directory, "run", ".out");
    Path err = Files.createTempFile(directory, "run", ".err");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new SpawnedRun(process, out, err);
  }

  SpawnedRun awaitStarted() {
    await("the run to start")
        .atMost(Operated.PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .failFast("the run ended: " + err, () -> !process.isAlive())
        .until(() -> err().contains("started; audit file"));
    return this;
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The same as kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Whether it ended within the time. */
  boolean endsWithin(Duration time) throws InterruptedException {
    return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Sends a signal such as TERM or INT. */
  void signal(String name) throws IOException, InterruptedException {
    int sent =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    assertThat(sent).isZero();
  }

  /** From now on no file that it writes may grow beyond so many bytes; no privilege is needed. */
  void limitFiles(long bytes) throws IOException, InterruptedException {
    int set =
        new ProcessBuilder(
                "prlimit", "--pid", Long.toString(process.pid()), "--fsize=" + bytes + ":")
            .start()
            .waitFor();
    assertThat(set).isZero();
  }

  Operated.Outcome awaitEnd(Duration atMost) throws IOException, InterruptedException {
    assertThat(endsWithin(atMost)).as("ended within " + atMost + ": " + err()).isTrue();
    return new Operated.Outcome(process.exitValue(), out(), err());
  }

  @Override
  public void close() throws InterruptedException {
    if (process.isAlive()) {
      kill();
    }
  }
}
