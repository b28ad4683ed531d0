package io.walproof.standalone.demo;

import java.sql.SQLException;
import java.util.concurrent.TimeoutException;

/** A fault, and how to tell that it was found. */
interface Injection {

  /** What is done, in a few words. */
  String injected();

  /** What must come of it, in a few words. */
  String expected();

  /**
   * Does it and waits for what comes of it.
   *
   * @return what was found, and whether it is what was expected
   */
  Outcome run(Stage stage) throws SQLException, TimeoutException, InterruptedException;

  /**
   * What came of an injection.
   *
   * @param asExpected whether it is what was expected
   * @param found in a few words
   * @param injectedAt when the fault was in place, on the monotonic clock
   */
  record Outcome(boolean asExpected, String found, long injectedAt) {}
}
