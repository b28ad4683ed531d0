package io.walproof.connector.relation;

import java.sql.Connection;

/** Watches over the replication connection. Called on Debezium's threads. */
public interface StreamGate {

  /** A replication connection was opened; it may be aborted when the capture must end. */
  void opened(Connection connection);

  /** Debezium opened a connection of another kind, which its streaming thread may wait on. */
  void openedBeside(Connection connection);

  /**
   * A stream is about to start, also when Debezium restarts itself.
   *
   * @throws RuntimeException if the slot does not reach back to the position; the capture ends
   */
  void beforeStream();

  /** The stream has started: the server holds the slot for it. */
  void streams();

  /** Whether Debezium may create the slot; once there is a position, a new slot would be a gap. */
  boolean mayCreateSlot();

  /** Debezium tried to create the slot although it may not: the slot has disappeared. */
  RuntimeException slotIsGone();
}
