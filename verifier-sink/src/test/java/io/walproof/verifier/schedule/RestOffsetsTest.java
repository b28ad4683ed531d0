package io.walproof.verifier.schedule;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.range.RangeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
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
}
