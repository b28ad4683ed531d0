package io.walproof.verifier.database;

/**
 * How a transaction ended.
 *
 * @param <T> what it yields
 */
public sealed interface Outcome<T> {

  /**
   * It committed.
   *
   * @param value what the work returned
   */
  record Done<T>(T value) implements Outcome<T> {}

  /**
   * It did not, also after the attempts that were allowed; nothing was learned.
   *
   * @param cause why
   * @param detail a sentence for people; no row values, no secrets
   */
  record Failed<T>(Cause cause, String detail) implements Outcome<T> {}

  /** Why a transaction failed. */
  enum Cause {
    /** The work was cancelled. */
    CANCELLED,
    /** The deadline passed. */
    DEADLINE,
    /** No connection, or it broke, or the server was busy, in every attempt. */
    UNREACHABLE,
    /** The server does not let this role in. */
    REFUSED,
    /** The role lacks a privilege, or row-level security hides rows from it. */
    PERMISSION,
    /** The statement does not fit the catalog (any more). */
    CATALOG,
    /** One of the values cannot be read or converted. */
    DATA,
    /** A failure inside the server. */
    INTERNAL,
    /** Anything else, a statement's own timeout included. */
    OTHER
  }
}
