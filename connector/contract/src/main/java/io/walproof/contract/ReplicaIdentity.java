package io.walproof.contract;

/**
 * What a table's UPDATE and DELETE messages carry of the old row ({@code pg_class.relreplident}).
 */
public enum ReplicaIdentity {
  DEFAULT('d'),
  NOTHING('n'),
  FULL('f'),
  INDEX('i');

  private final char code;

  ReplicaIdentity(char code) {
    this.code = code;
  }

  /** The catalog's one-letter code. */
  public char code() {
    return code;
  }

  /**
   * The identity of a catalog code.
   *
   * @throws IllegalArgumentException for any other letter
   */
  public static ReplicaIdentity of(char code) {
    for (ReplicaIdentity identity : values()) {
      if (identity.code == code) {
        return identity;
      }
    }
    throw new IllegalArgumentException("unknown replica identity code " + (int) code);
  }
}
