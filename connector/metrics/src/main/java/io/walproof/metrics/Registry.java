package io.walproof.metrics;

/** Where gauges go. */
interface Registry {

  /** Registers the gauge, or warns that it could not. */
  void add(Gauge gauge);

  /** Takes back everything that was added. */
  void close();
}
