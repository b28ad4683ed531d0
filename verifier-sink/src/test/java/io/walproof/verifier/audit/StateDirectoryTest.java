package io.walproof.verifier.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state directory against real other processes, with the widest umask. */
class StateDirectoryTest {

  @TempDir Path dir;

  @Test
  void modesArePrivateAlsoUnderUmask000() throws Exception {
    Path state = dir.resolve("deep").resolve("state");
    Process child = child(state, "write");
    assertThat(line(child)).isEqualTo("wrote");
    stop(child);
    assertThat(mode(state)).isEqualTo("rwx------");
    assertThat(mode(state.resolve("log"))).isEqualTo("rwx------");
    assertThat(mode(state.resolve("lock"))).isEqualTo("rw-------");
    assertThat(mode(StateDirectory.auditFile(state))).isEqualTo("rw-------");
    assertThat(mode(state.getParent())).as("the umask was 000").isEqualTo("rwxrwxrwx");
  }

  @Test
  void aSecondProcessIsRefusedAndTheDirectoryIsFreeWhenTheFirstIsKilled() throws Exception {
    Path state = dir.resolve("state");
    Process child = child(state, "write");
    assertThat(line(child)).isEqualTo("wrote");
    assertThatThrownBy(() -> StateDirectory.open(state))
        .isInstanceOf(StateDirectoryException.class)
        .hasMessageContaining(state.toString())
        .hasMessageContaining("process " + child.pid())
        .hasMessageContaining("state.dir");
    child.destroyForcibly();
    child.waitFor();
    StateDirectory.open(state).close();
  }

  @Test
  void theSameProcessIsRefusedTooUntilItLetsGo() {
    Path state = dir.resolve("state");
    try (StateDirectory held = StateDirectory.open(state)) {
      assertThat(held.path()).isEqualTo(state.toAbsolutePath());
      assertThatThrownBy(() -> StateDirectory.open(state))
          .isInstanceOf(StateDirectoryException.class)
          .hasMessageContaining("in use by this process");
    }
    StateDirectory.open(state).close();
  }

  @Test
  void aFileInThePlaceOfTheDirectoryIsNamed() throws IOException {
    Path state = Files.createFile(dir.resolve("state"));
    assertThatThrownBy(() -> StateDirectory.open(state))
        .isInstanceOf(StateDirectoryException.class)
        .hasMessageContaining(state.toString())
        .hasMessageContaining("state.dir must name a directory");
  }

  @Test
  void afterKill9TheChainIsWholeAndGoesOn() throws Exception {
    Path state = dir.resolve("state");
    for (int i = 1; i <= 5; i++) {
      Process child = child(state, "flood");
      assertThat(line(child)).isEqualTo("wrote");
      Path file = StateDirectory.auditFile(state);
      long before = Files.size(file);
      long enough = before + 20_000L * i;
      await().atMost(Duration.ofSeconds(60)).until(() -> Files.size(file) > enough);
      assertThat(child.isAlive()).isTrue();
      child.destroyForcibly();
      child.waitFor();
      long records = AuditCheck.of(file).records();
      try (StateDirectory held = StateDirectory.open(state);
          FileAuditLog log = FileAuditLog.open(held, "after", Entries.clock())) {
        log.append(List.of(Entries.runStart()));
      }
      AuditCheck check = AuditCheck.of(file);
      assertThat(check.problem()).isEmpty();
      assertThat(check.records()).isGreaterThan(records);
    }
  }

  /** What the child process does. */
  public static final class Child {
    private Child() {}

    /** Holds the directory until its input ends. */
    public static void main(String[] args) throws IOException {
      try (StateDirectory state = StateDirectory.open(Path.of(args[0]));
          FileAuditLog log = FileAuditLog.open(state, "child", Entries.clock())) {
        log.append(List.of(Entries.runStart()));
        System.out.println("wrote");
        while (args[1].equals("flood")) {
          log.append(List.of(Entries.observation("1"), Entries.observation("2")));
        }
        while (System.in.read() >= 0) {
          log.append(List.of());
        }
      }
    }
  }

  private static Process child(Path state, String what) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "sh",
            "-c",
            "umask 000; exec \"$0\" -XX:TieredStopAtLevel=1 -cp \"$1\" \"$2\" \"$3\" \"$4\"",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Child.class.getName(),
            state.toString(),
            what);
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static String line(Process child) throws IOException {
    return new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))
        .readLine();
  }

  private static void stop(Process child) throws Exception {
    child.getOutputStream().close();
    assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
