package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.TimelineHistory;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.Lsn;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code walproof offsets show} of what Kafka Connect gives, from a file and standard input. */
class OffsetsShowSourcesTest {

  private static final String HISTORY =
      "{\"v\":1,\"tables\":{\"public.t\":{\"versions\":[{\"h\":\"00000000000000000000000000000001\","
          + "\"lsn\":\"0/10\"}],\"columns\":[[\"id\",20,-1,true],[\"v\",1043,14,false]],"
          + "\"oid\":16412,\"ri\":\"d\"}}}";

  @TempDir Path directory;

  @Test
  void connectsAnswerIsShownFromAFileAndFromStandardInput() throws Exception {
    String rest =
        new ObjectMapper()
            .writeValueAsString(
                Map.of(
                    "offsets",
                    List.of(
                        // Not a position: what the catalog said last.
                        Map.of(
                            "partition",
                            Map.of("server", "walproof", "walproof", "catalog"),
                            "offset",
                            Map.of("v", 1, "tables", "")),
                        Map.of(
                            "partition",
                            Map.of("server", "walproof"),
                            "offset",
                            Position.start(
                                    Lsn.parse("0/20"),
                                    SchemaHistory.read(HISTORY),
                                    new WalOrigin(
                                        "7000000000001",
                                        Optional.of(TimelineHistory.parse("1 0/18,2"))))
                                .entries()))));
    Path file = Files.writeString(directory.resolve("offsets.json"), rest);
    Operated.Outcome fromFile = Operated.command("offsets", "show", "--file", file.toString());
    assertThat(fromFile.status()).as(fromFile.err()).isZero();
    assertThat(fromFile.out())
        .contains(
            "partition      {\"server\":\"walproof\"}",
            "resumes from   0/20",
            "7000000000001",
            "timeline       2 (1 until 0/18)",
            "id bigint key, v character varying(10)");
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream(rest.getBytes(StandardCharsets.UTF_8)));
      assertThat(Operated.command("offsets", "show", "--file", "-").out())
          .isEqualTo(fromFile.out());
    } finally {
      System.setIn(before);
    }
    assertThat(fromConnect(rest).out()).isEqualTo(fromFile.out());
  }

  /** A worker that lets one user in. */
  private Operated.Outcome fromConnect(String rest) throws Exception {
    HttpServer worker =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    worker.createContext(
        "/connectors/walproof/offsets",
        exchange -> {
          // me:secret
          boolean known =
              "Basic bWU6c2VjcmV0".equals(exchange.getRequestHeaders().getFirst("Authorization"));
          byte[] body = rest.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(known ? 200 : 401, known ? body.length : -1);
          if (known) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    worker.start();
    try {
      String url = "http://127.0.0.1:" + worker.getAddress().getPort() + "/connectors/walproof";
      Operated.Outcome refused = Operated.command("offsets", "show", "--url", url);
      assertThat(refused.status()).isEqualTo(ExitStatus.ERROR.code());
      assertThat(refused.err()).contains("401", "--user");
      Path password = Files.writeString(directory.resolve("password"), "secret\n");
      Operated.Outcome outcome =
          Operated.command(
              "offsets",
              "show",
              "--url",
              url,
              "--user",
              "me",
              "--password-file",
              password.toString());
      assertThat(outcome.status()).as(outcome.err()).isZero();
      return outcome;
    } finally {
      worker.stop(0);
    }
  }

  @Test
  void whatIsNoPositionIsRefusedByName() throws Exception {
    for (String text : List.of("{", "{\"offsets\":[]}", "{\"offsets\":[{}]}", "x")) {
      Path file = Files.writeString(directory.resolve("bad.json"), text);
      Operated.Outcome outcome = Operated.command("offsets", "show", "--file", file.toString());
      assertThat(outcome.status()).as(text).isEqualTo(ExitStatus.ERROR.code());
      assertThat(outcome.err()).as(text).contains(file.toString());
    }
  }

  /** People write passwords into URLs, and mistype them. */
  @Test
  void aUrlThatIsNoneIsRefusedAndNeverShown() {
    for (String url :
        List.of(
            "http://me:geheim@127.0.0.1:9/connectors/x", "http://geheim/a b", "ftp://geheim/x")) {
      Operated.Outcome outcome = Operated.command("offsets", "show", "--url", url);
      assertThat(outcome.status()).as(url).isEqualTo(ExitStatus.ERROR.code());
      assertThat(outcome.err())
          .contains("--url must be like")
          .doesNotContain("geheim", "Exception");
    }
    Operated.Outcome outcome =
        Operated.command(
            "offsets",
            "show",
            "--url",
            "http://127.0.0.1:9/connectors/x",
            "--password-file",
            directory.resolve("none").toString());
    assertThat(outcome.err()).contains("--password-file", "cannot be read").hasLineCount(1);
  }
}
