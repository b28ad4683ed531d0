package io.walproof.contract;

/** What a change did to the key it names. */
public enum Operation {
  INSERT,
  UPDATE,
  DELETE,
  /** The row was read by a snapshot, not changed. */
  READ
}
