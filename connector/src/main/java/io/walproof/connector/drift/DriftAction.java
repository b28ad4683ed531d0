package io.walproof.connector.drift;

import java.util.Locale;

/** What was done about a drift event. */
public enum DriftAction {
  /** It was told, and the capture goes on. */
  REPORTED,
  /** The policy allows the change, and the capture goes on. */
  ACCEPTED,
  /** The table's records are diverted until the new shape is accepted. */
  DIVERTED,
  /** The capture ends before the deciding change; the next start goes on with it. */
  HALTED;

  /** The name in events. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
