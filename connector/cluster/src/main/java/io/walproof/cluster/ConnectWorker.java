package io.walproof.cluster;

/**
 * A distributed Connect worker with its REST interface on a free port of 127.0.0.1, which it keeps
 * over {@link #stop()} and {@link #start()}. Not thread-safe.
 */
public sealed interface ConnectWorker extends AutoCloseable permits EmbeddedWorker, WorkerProcess {

  /** The worker's REST interface. */
  ConnectRest rest();

  /** The name that {@code worker_id} has in a status: host and port. */
  String workerId();

  /** Starts the stopped worker again; returns once it is healthy. */
  void start();

  /** Stops the worker in order; its connectors go to the other workers of the group. */
  void stop();

  /** Stops the worker and deletes its files. */
  @Override
  void close();
}
