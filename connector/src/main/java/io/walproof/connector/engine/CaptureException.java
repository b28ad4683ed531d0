package io.walproof.connector.engine;

import java.sql.SQLException;
import java.util.Objects;

/** The capture cannot start or go on. The message names the thing, the setting and the way out. */
public final class CaptureException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** What is wrong, for programs. */
  public enum Reason {
    SETTING,
    UNREACHABLE,
    AUTHENTICATION,
    SERVER,
    ROLE,
    TABLE,
    PUBLICATION,
    SLOT,
    /** Another process has the slot. */
    SLOT_IN_USE,
    /** The slot cannot deliver everything since the stored position. */
    GAP,
    /** The source was replaced while the capture ran; the next start checks what that means. */
    FAILOVER,
    /** The stored position cannot be used. */
    POSITION,
    /** The stream and Debezium's records do not fit together. */
    STREAM,
    /** The drift policy ended the capture; the next start goes on with the deciding change. */
    HALTED,
    /** Debezium's engine, or the listener, failed. */
    ENGINE,
    TIMEOUT
  }

  /** Without a cause. */
  public CaptureException(Reason reason, String message) {
    this(reason, message, null);
  }

  /** With a cause. */
  public CaptureException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** Whether the same attempt may succeed later without anybody changing anything. */
  public boolean retriable() {
    for (Throwable at = getCause(); at != null; at = at.getCause()) {
      if (at instanceof SQLException sql) {
        return SourceError.isTransient(sql);
      }
    }
    return reason == Reason.UNREACHABLE || reason == Reason.SLOT_IN_USE;
  }

  /** What is wrong. */
  public Reason reason() {
    return reason;
  }
}
