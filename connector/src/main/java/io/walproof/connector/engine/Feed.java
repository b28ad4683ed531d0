package io.walproof.connector.engine;

/** What a capture hands on. */
public enum Feed {
  /** Changed keys and drift. Row values are not even decoded with care. */
  KEYS,
  /** Debezium's own records as well, which are then made with its own conversions. */
  ROWS
}
