package io.walproof.verifier.schedule;

/**
 * The right to read both servers, which one check at a time has. A check begins with it, and gives
 * it away for good once it only waits for verdicts. For the check's thread.
 */
public interface ReadingTurn {

  /** Lets another check read. */
  void give();
}
