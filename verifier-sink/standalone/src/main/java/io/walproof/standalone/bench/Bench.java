package io.walproof.standalone.bench;

import java.util.Locale;

/** What can be measured. */
enum Bench {
  /** Capture beside a plain Debezium engine. */
  ENGINE,
  /** Key checks beside the bare lookups. */
  KEYS,
  /** The heap that keys on hold take. */
  HEAP,
  /** Range checks beside bare copies. */
  RANGE,
  /** What the schema history takes in a position. */
  HISTORY,
  /** The memory of a run with many tables. */
  TABLES,
  /** The time from a start to the first verdict. */
  START,
  /** What it costs to keep versions of rows. */
  VERSIONS,
  /** How the cost of a key grows while others wait. */
  QUEUE,
  /** Whether a run stays right and small under mixed load and faults. */
  SOAK;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return text();
  }
}
