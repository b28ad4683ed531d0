package io.walproof.system;

import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The sample as processes of this machine. */
class SampleNativeIT extends SampleBody {

  private static NativeSample running;

  @BeforeAll
  static void start() throws SQLException {
    running = NativeSample.start();
    CONNECTORS.forEach(running.sample()::deploy);
  }

  @AfterAll
  static void stop() throws IOException {
    running.close();
  }

  @Override
  Sample sample() {
    return running.sample();
  }
}
