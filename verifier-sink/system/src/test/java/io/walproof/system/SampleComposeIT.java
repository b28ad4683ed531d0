package io.walproof.system;

import io.walproof.cluster.ConnectRest;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.containers.ComposeContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Testcontainers;

/** The sample as {@code docker compose up} brings it up; skipped where there is no Docker. */
@Testcontainers(disabledWithoutDocker = true)
class SampleComposeIT extends SampleBody {

  private static final Duration START = Duration.ofMinutes(10);

  private static ComposeContainer compose;

  @BeforeAll
  static void start() {
    compose =
        new ComposeContainer(Delivered.ROOT.resolve("docker-compose.yml").toFile())
            .waitingFor(
                "deploy",
                Wait.forLogMessage(".*Walproof is watching the pipeline.*", 1)
                    .withStartupTimeout(START));
    compose.start();
  }

  @AfterAll
  static void stop() {
    compose.stop();
  }

  /** At the ports that the file publishes. */
  @Override
  Sample sample() {
    return new Sample(
        "jdbc:postgresql://127.0.0.1:5432/shop?user=postgres&password=postgres",
        "jdbc:postgresql://127.0.0.1:5433/shop?user=postgres&password=postgres",
        "127.0.0.1:29092",
        new ConnectRest("http://127.0.0.1:8083"),
        Map.of());
  }
}
