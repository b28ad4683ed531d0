package io.walproof.contract.topic;

import io.walproof.contract.Lsn;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A heartbeat on a topic, version 1. It carries a source position past what has no record of its
 * own; consumers need not read it. Its LSN says how far the stream has come: the records of all
 * changes before it were written ahead of it, to other topics.
 *
 * @param at when it was made
 * @param lsn how far the stream has come
 */
public record HeartbeatRecord(Instant at, Lsn lsn) {

  /** The name of the key's schema. */
  public static final String KEY_NAME = "io.walproof.Heartbeat.Key";

  /** The name of the value's schema. */
  public static final String VALUE_NAME = "io.walproof.Heartbeat";

  /** The version of both. */
  public static final int VERSION = 1;

  /** The prefix; key only. */
  public static final String SERVER = "server";

  /** The version; value only; int32. */
  public static final String V = "v";

  /** When it was made, in milliseconds since 1970; int64. */
  public static final String TS_MS = "ts_ms";

  /** How far the stream has come; int64, to be read as unsigned. */
  public static final String LSN = "lsn";

  /** The record's key. */
  public static Map<String, Object> key(String prefix) {
    return Map.of(SERVER, prefix);
  }

  /** The record's value. */
  public Map<String, Object> value() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put(V, VERSION);
    value.put(TS_MS, at.toEpochMilli());
    value.put(LSN, lsn.value());
    return value;
  }

  /**
   * Reads a record's value. Unknown fields are ignored.
   *
   * @throws TopicFormatException if the version is unknown, or a field is missing or malformed
   */
  public static HeartbeatRecord of(Map<String, ?> value) {
    RecordFields fields = new RecordFields(VALUE_NAME, value);
    fields.version(VERSION);
    return new HeartbeatRecord(
        Instant.ofEpochMilli(fields.int64(TS_MS)), new Lsn(fields.int64(LSN)));
  }
}
