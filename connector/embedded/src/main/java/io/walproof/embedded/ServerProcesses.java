package io.walproof.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The processes of a running server. A frozen one makes no new ones. Not thread-safe. */
final class ServerProcesses {

  private static final int ENDS_SECONDS = 60;

  private final ProcessHandle postmaster;
  private List<ProcessHandle> frozen = List.of();

  private ServerProcesses(ProcessHandle postmaster) {
    this.postmaster = postmaster;
  }

  static ServerProcesses of(Path dataDirectory) throws IOException {
    return running(dataDirectory)
        .orElseThrow(() -> new IOException("the server of " + dataDirectory + " does not run"));
  }

  /** Those of a server, if it runs. */
  static Optional<ServerProcesses> running(Path dataDirectory) throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(dataDirectory.resolve("postmaster.pid"));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    return ProcessHandle.of(Long.parseLong(lines.get(0).strip())).map(ServerProcesses::new);
  }

  /** Returns once the server has ended, which a shutdown was asked of; kills it in the end. */
  void awaitEnd() throws IOException {
    try {
      postmaster.onExit().get(ENDS_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a server was stopped", e);
    } catch (ExecutionException e) {
      throw new IOException("nobody knows whether a server has stopped", e);
    } catch (TimeoutException e) {
      kill();
    }
  }

  void freeze() throws IOException {
    List<ProcessHandle> stopped = new ArrayList<>();
    // The postmaster first, which would start others meanwhile.
    signal("STOP", postmaster);
    stopped.add(postmaster);
    for (ProcessHandle child : postmaster.descendants().toList()) {
      signal("STOP", child);
      stopped.add(child);
    }
    frozen = stopped;
  }

  void thaw() throws IOException {
    for (ProcessHandle process : frozen) {
      signal("CONT", process);
    }
    frozen = List.of();
  }

  /** Returns once none of them is left, so that their port and memory are free. */
  void kill() throws IOException {
    freeze();
    for (ProcessHandle process : frozen) {
      process.destroyForcibly();
    }
    for (ProcessHandle process : frozen) {
      try {
        process.onExit().get(ENDS_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while the server was killed", e);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException("the server could not be killed", e);
      }
    }
    frozen = List.of();
  }

  /** One that has ended meanwhile needs no signal. */
  private static void signal(String name, ProcessHandle process) throws IOException {
    try {
      int status =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      if (status != 0 && process.isAlive()) {
        throw new IOException("SIG" + name + " could not be sent to a server's process");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a signal was sent", e);
    }
  }
}
