package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TraceTest {

  @Test
  void namesEveryCauseAndQuotesNoServer() {
    SQLException server = new SQLException("Key (email)=(a@example.net) already exists", "23505");
    String trace =
        Trace.of(
            new IllegalStateException(
                "no plan", new RuntimeException(server.getMessage(), server)));
    assertThat(trace)
        .contains("java.lang.IllegalStateException: no plan")
        .contains("caused by java.lang.RuntimeException\n")
        .contains("caused by java.sql.SQLException, SQLSTATE 23505")
        .contains("  at io.walproof.standalone.TraceTest")
        .doesNotContain("example.net");
  }
}
