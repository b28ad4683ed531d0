package io.walproof.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A child JVM ends with its parent, of which it sees nothing but its end of a pipe. */
class LeashTest {

  /** Would run for ever. */
  static final class Endless {
    private Endless() {}

    /** Says that it runs, and waits for what never comes. */
    public static void main(String[] arguments) throws InterruptedException {
      System.out.println("running with " + arguments[0]);
      new CountDownLatch(1).await();
    }
  }

  @Test
  void aChildEndsWhenItsParentsEndOfThePipeIsClosed() throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Leash.class.getName(),
                Endless.class.getName(),
                "an argument")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(output.readLine()).isEqualTo("running with an argument");
      assertThat(child.isAlive()).isTrue();
      child.getOutputStream().close();
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      child.destroyForcibly();
    }
  }
}
