package io.walproof.connector.connect;

import io.walproof.connector.engine.Feed;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigDef.Width;

/**
 * The settings that only the connector has.
 *
 * @param values {@code feed.values}: what the table topics hold
 * @param queueMax {@code feed.queue.max}: records between the capture and the worker
 * @param pollWait {@code feed.poll.wait.ms}: how long one poll waits for records
 * @param heartbeatInterval {@code feed.heartbeat.interval.ms}: the least time between two records
 *     that only carry a position
 * @param driftMaxBytes {@code feed.drift.max.bytes}: of one drift event's column changes
 * @param lagInterval {@code feed.lag.interval.ms}: how often the slot's lag is measured
 * @param retryMax {@code drift.retry.max}: starts that are tried again while the source is away or
 *     the slot is taken
 * @param retryWait {@code drift.retry.wait.ms}: the wait before each
 */
record FeedSettings(
    Feed values,
    int queueMax,
    Duration pollWait,
    Duration heartbeatInterval,
    int driftMaxBytes,
    Duration lagInterval,
    int retryMax,
    Duration retryWait) {

  static final String VALUES = "feed.values";
  static final String DRIFT_MAX_BYTES = "feed.drift.max.bytes";

  private static final String QUEUE_MAX = "feed.queue.max";
  private static final String POLL_WAIT = "feed.poll.wait.ms";
  private static final String HEARTBEAT = "feed.heartbeat.interval.ms";
  private static final String LAG = "feed.lag.interval.ms";
  private static final String RETRY_MAX = "drift.retry.max";
  private static final String RETRY_WAIT = "drift.retry.wait.ms";

  private static final int HOUR = 3_600_000;

  /** Their definition. */
  static ConfigDef definition() {
    ConfigDef definition = new ConfigDef();
    String[] words = Stream.of(Feed.values()).map(FeedSettings::word).toArray(String[]::new);
    add(
        definition,
        VALUES,
        ConfigDef.Type.STRING,
        "keys",
        ValidString.in(words),
        Importance.HIGH,
        "What the topics <topic.prefix>.<schema>.<table> hold. 'keys': the changed keys, in one"
            + " form for all tables; no other value leaves the database. 'rows': Debezium's own"
            + " records.");
    number(
        definition,
        QUEUE_MAX,
        8192,
        1,
        1_000_000,
        "How many records may wait between the capture and the worker. When it is full the capture"
            + " waits, and with it the replication stream; nothing is dropped.");
    number(
        definition,
        HEARTBEAT,
        1000,
        1,
        HOUR,
        "The least time between two records on <topic.prefix>.heartbeat. Such a record carries the"
            + " source offset past what has no record of its own.");
    number(definition, POLL_WAIT, 500, 1, 60_000, "How long one poll waits for records.");
    number(
        definition,
        DRIFT_MAX_BYTES,
        262_144,
        1024,
        16 * 1024 * 1024,
        "The most bytes that the column changes of one drift event may take. What does not fit is"
            + " left out, and the event says how much.");
    number(
        definition, LAG, 30_000, 1000, HOUR, "How often the replication slot's lag is measured.");
    number(
        definition,
        RETRY_MAX,
        10,
        0,
        100_000,
        "How often a start is tried again while the source cannot be reached, or while another"
            + " process has the slot, such as the task of a worker that is cut off. A capture that"
            + " runs is mended by errors.max.retries instead.");
    number(
        definition, RETRY_WAIT, 10_000, 1, HOUR, "How long to wait before a start is tried again.");
    return definition;
  }

  /** Reads values that the definition has accepted. */
  static FeedSettings of(Map<String, Object> values) {
    return new FeedSettings(
        feed((String) values.get(VALUES)),
        (Integer) values.get(QUEUE_MAX),
        millis(values, POLL_WAIT),
        millis(values, HEARTBEAT),
        (Integer) values.get(DRIFT_MAX_BYTES),
        millis(values, LAG),
        (Integer) values.get(RETRY_MAX),
        millis(values, RETRY_WAIT));
  }

  /** The feed of a word, that of keys if there is no such word. */
  static Feed feed(String word) {
    return Feed.ROWS.name().toLowerCase(Locale.ROOT).equals(word) ? Feed.ROWS : Feed.KEYS;
  }

  private static String word(Feed feed) {
    return feed.name().toLowerCase(Locale.ROOT);
  }

  private static Duration millis(Map<String, Object> values, String key) {
    return Duration.ofMillis((Integer) values.get(key));
  }

  private static void number(
      ConfigDef definition, String key, int fallback, int least, int most, String text) {
    add(
        definition,
        key,
        ConfigDef.Type.INT,
        fallback,
        Range.between(least, most),
        Importance.LOW,
        text + " From " + least + " to " + most + ".");
  }

  private static void add(
      ConfigDef definition,
      String key,
      ConfigDef.Type type,
      Object fallback,
      Validator validator,
      Importance importance,
      String text) {
    definition.define(
        key,
        type,
        fallback,
        validator,
        importance,
        text,
        "Walproof",
        definition.names().size() + 1,
        Width.MEDIUM,
        key,
        List.of(),
        key.equals(VALUES) ? new FixedChoice(List.of("keys", "rows")) : null);
  }
}
