package io.walproof.verifier.schedule;

/**
 * The right to read both servers, which one check at a time has. A check that only waits for
 * verdicts gives it away meanwhile. For the check's thread.
 */
public interface ReadingTurn {

  /** Lets another check read. */
  void give();

  /** Waits until nobody else reads. */
  void take() throws InterruptedException;
}
