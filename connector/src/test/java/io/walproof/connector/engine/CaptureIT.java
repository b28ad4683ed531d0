package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Operation;
import io.walproof.embedded.PostgresServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CaptureIT {

  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start(18);
  }

  @AfterAll
  static void stopServer() throws Exception {
    server.close();
  }

  @Test
  void changesArriveWithKeyTextAndShape() throws Exception {
    try (CaptureFixture fixture = new CaptureFixture(server)) {
      fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
      Captured captured = fixture.start();
      fixture.sql(
          "INSERT INTO t VALUES (1, 'a')",
          "UPDATE t SET v = 'b'",
          "UPDATE t SET id = 2",
          "DELETE FROM t");
      fixture.settle();
      assertThat(captured.keys())
          .extracting(ChangedKey::operation, key -> key.key().asMap().get("id"))
          .containsExactly(
              tuple(Operation.INSERT, "1"),
              tuple(Operation.UPDATE, "1"),
              tuple(Operation.DELETE, "1"),
              tuple(Operation.INSERT, "2"),
              tuple(Operation.DELETE, "2"));
      assertThat(captured.drift())
          .extracting(DriftEvent::kind)
          .isEqualTo(List.of(DriftEvent.Kind.INITIAL));
    }
  }

  private static org.assertj.core.groups.Tuple tuple(Object... values) {
    return org.assertj.core.groups.Tuple.tuple(values);
  }
}
