package io.walproof.verifier.range;

import java.util.Locale;

/** What a running check is at, or waits for. */
public enum RangeStage {
  /** The catalogs and the claim are looked at. */
  OPENING("looking at the table and the claim"),
  /** Evidence that nobody writes is sought; open transactions and replay are waited for. */
  WITNESS(
      "waiting until open transactions have ended and replay is confirmed, for an exact result"
          + " (verify.range.exact, verify.replay.timeout.ms)"),
  /** Rows are read and digested. */
  READING("reading"),
  /** The servers are left alone. */
  RESTING("resting between reads (verify.duty.cycle)"),
  /** Rows that only the target has are counted once replay has passed. */
  REPLAY("waiting for replay, for rows that only the target has (verify.replay.timeout.ms)"),
  /** Everything is read; rows that differ are being checked. */
  VERDICTS(
      "waiting for the verdicts of rows that differ, each rechecked once"
          + " (verify.recheck.delay.ms, verify.replay.timeout.ms)");

  private final String sentence;

  RangeStage(String sentence) {
    this.sentence = sentence;
  }

  /** Lower case, for machines. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** For people, with the settings that bound it. */
  public String sentence() {
    return sentence;
  }
}
