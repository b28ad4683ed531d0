package io.walproof.standalone;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A run that is about to go wrong, under a log that keeps everything and must hold no secret. */
abstract class WrongInputCase {

  private static final String TABLES = "public\\.wrong";

  @TempDir Path directory;

  Operated operated;
  private CapturedLog log;

  @BeforeEach
  final void open() throws Exception {
    operated = new Operated(JoinedPair.get(), directory, "wrong", TABLES);
    log = new CapturedLog();
  }

  @AfterEach
  final void close() throws Exception {
    log.close();
    operated.assertNoSecret(log.text());
    operated.forget();
  }
}
