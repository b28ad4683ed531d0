package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** README's first command, from the jar that the build leaves. */
class DemoIT {

  @TempDir Path directory;

  @Test
  void everythingInjectedIsFoundAndNothingElse() throws Exception {
    Path state = directory.resolve("state");
    Path out = directory.resolve("out");
    Process demo =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                Path.of("target", "walproof.jar").toAbsolutePath().toString(),
                "demo",
                "--state-dir",
                state.toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(demo.waitFor(10, TimeUnit.MINUTES)).isTrue();
      String printed = Files.readString(out);
      assertThat(demo.exitValue()).as(printed).isZero();
      assertThat(printed)
          .contains("everything injected was found, and nothing else was reported")
          .doesNotContain("NOT AS EXPECTED");
      List<String> found = printed.lines().filter(line -> line.matches(".* s +ok")).toList();
      assertThat(found).as(printed).hasSize(6);
      Operated.Outcome check = Operated.command("audit", "check", "--state-dir", state.toString());
      assertThat(check.status()).as(check.out() + check.err()).isZero();
    } finally {
      demo.descendants().forEach(ProcessHandle::destroyForcibly);
      demo.destroyForcibly();
    }
  }
}
