package io.walproof.verifier.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.range.RangeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestOffsetsTest {

  /** Several workers may run on one host. */
  @Test
  void aWorkerThatDoesNotAnswerIsNamedWithItsPortAndWithoutCredentials() throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    RestOffsets offsets =
        new RestOffsets(
            URI.create("http://me:s3cret@127.0.0.1:" + closed + "/connectors/pipeline?t=s3cret"),
            Optional.empty(),
            Optional.empty(),
            Duration.ofSeconds(10));
    assertThatThrownBy(() -> offsets.read(new Cancellation()))
        .isInstanceOf(RangeException.class)
        .hasMessageContaining("http://127.0.0.1:" + closed + "/connectors/pipeline")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void userAndPasswordGoToTheServerThatTheyAreForOnly() {
    RestAccess access =
        new RestAccess(
            Optional.of(URI.create("https://connect:8083/connectors/one")),
            Optional.of("reader"),
            Optional.of("s3cret"),
            Duration.ofSeconds(7));
    RestOffsets other = access.of(URI.create("https://Connect:8083/connectors/two"));
    assertThat(other.user()).contains("reader");
    assertThat(other.password()).contains("s3cret");
    assertThat(other.timeout()).isEqualTo(Duration.ofSeconds(7));
    for (String stranger :
        List.of(
            "http://connect:8083/connectors/one",
            "https://connect:8084/connectors/one",
            "https://connect/connectors/one",
            "https://elsewhere:8083/connectors/one",
            "https://connect:8083@elsewhere/connectors/one")) {
      assertThat(access.of(URI.create(stranger)).user()).as(stranger).isEmpty();
      assertThat(access.of(URI.create(stranger)).password()).as(stranger).isEmpty();
    }
    RestAccess none =
        new RestAccess(Optional.empty(), Optional.empty(), Optional.empty(), Duration.ofSeconds(7));
    assertThat(none.of(URI.create("https://connect:8083/connectors/one")).user()).isEmpty();
    assertThat(access.toString()).doesNotContain("s3cret");
  }
}
