package io.walproof.verifier.replay;

import io.walproof.contract.TableId;
import io.walproof.verifier.row.TargetNames;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How replay is confirmed.
 *
 * @param strategy which way
 * @param subscription the one subscription on the target to look at; all of the database's if empty
 * @param pollInterval how long to wait between two looks
 * @param markerTable where {@code marker_table} writes
 * @param instance names this Walproof among others that share the marker table; it owns one row
 * @param kafka the pipeline that {@code kafka_sink} looks at
 * @param names names that differ on the target, the marker table's among them
 */
public record ConfirmationSettings(
    ConfirmationStrategy strategy,
    Optional<String> subscription,
    Duration pollInterval,
    Optional<TableId> markerTable,
    String instance,
    Optional<KafkaSinkSettings> kafka,
    TargetNames names) {

  private static final Duration LONGEST_POLL = Duration.ofMinutes(1);

  /** Refuses what cannot work. */
  public ConfirmationSettings {
    Objects.requireNonNull(strategy, "strategy");
    Objects.requireNonNull(subscription, "subscription");
    Objects.requireNonNull(markerTable, "markerTable");
    Objects.requireNonNull(kafka, "kafka");
    Objects.requireNonNull(names, "names");
    if (pollInterval.isNegative()
        || pollInterval.isZero()
        || pollInterval.compareTo(LONGEST_POLL) > 0) {
      throw new IllegalArgumentException("verify.replay.poll.ms must be from 1 to 60000");
    }
    if (instance.isEmpty()) {
      throw new IllegalArgumentException("the instance needs a name");
    }
    if (strategy == ConfirmationStrategy.KAFKA_SINK && kafka.isEmpty()) {
      throw new IllegalArgumentException(
          "verify.replay.confirmation=kafka_sink needs verify.kafka.connect.url,"
              + " verify.kafka.source.connector, verify.kafka.sink.group and"
              + " verify.kafka.client.bootstrap.servers, which only the sink connector has");
    }
    if (strategy == ConfirmationStrategy.MARKER_TABLE && markerTable.isEmpty()) {
      throw new IllegalArgumentException(
          "verify.replay.confirmation=marker_table needs verify.marker.table=schema.table");
    }
  }

  /** Without a Kafka pipeline, and with the source's names on the target. */
  public ConfirmationSettings(
      ConfirmationStrategy strategy,
      Optional<String> subscription,
      Duration pollInterval,
      Optional<TableId> markerTable,
      String instance) {
    this(
        strategy,
        subscription,
        pollInterval,
        markerTable,
        instance,
        Optional.empty(),
        TargetNames.SAME);
  }

  /** The same under another name: two confirmations must not share a row of the marker table. */
  public ConfirmationSettings beside(String name) {
    return new ConfirmationSettings(
        strategy, subscription, pollInterval, markerTable, instance + '.' + name, kafka, names);
  }

  /** The strategy with the defaults: all subscriptions, 100 ms, no marker table. */
  public static ConfirmationSettings of(ConfirmationStrategy strategy) {
    return new ConfirmationSettings(
        strategy, Optional.empty(), Duration.ofMillis(100), Optional.empty(), "walproof");
  }
}
