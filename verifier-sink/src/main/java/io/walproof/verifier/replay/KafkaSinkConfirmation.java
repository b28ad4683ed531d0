package io.walproof.verifier.replay;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.replay.KafkaPipeline.PipelineException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;

/**
 * Strategy {@code kafka_sink}: a Debezium source connector has durably passed the boundary, and
 * then the sink's consumer group has committed past where the tables' topics ended at that moment.
 *
 * <p>PostgreSQL streams whole transactions in commit order, and Connect stores a source offset only
 * once every record before it is acknowledged. So a stored position at or past the boundary means
 * that all rows of transactions committed before the boundary are on their topics, and the topics'
 * ends, asked for after that, lie behind those rows. A sink that commits an offset before it has
 * written the rows, or that skips a record, is not found out here, but by the rows themselves.
 */
final class KafkaSinkConfirmation extends MessageConfirmation {

  /** Debezium's own replacement of what Kafka does not allow. */
  private static final Pattern NOT_ALLOWED = Pattern.compile("[^a-zA-Z0-9._-]");

  private final KafkaSinkSettings settings;
  private final KafkaPipeline pipeline;
  private final Boundaries boundaries;

  KafkaSinkConfirmation(
      KafkaSinkSettings settings, KafkaPipeline pipeline, Boundaries boundaries, Poller poller) {
    super(ConfirmationStrategy.KAFKA_SINK, boundaries, poller);
    this.settings = settings;
    this.pipeline = pipeline;
    this.boundaries = boundaries;
  }

  @Override
  public Result await(
      Boundary boundary, Set<TableId> tables, Deadline deadline, Cancellation cancel) {
    // The position that Debezium stores is that of its last record. Without a later one it would
    // stay before the boundary for as long as the source is idle.
    if (boundaries.message(deadline, cancel) instanceof Emission.Failed failed) {
      return new Result.NotConfirmed(failed.reason(), failed.detail());
    }
    Wait wait = new Wait(boundary.lsn().orElseThrow(), tables);
    return poll((until, stop) -> wait.look(), deadline, cancel);
  }

  /** One wait: first for the source, then for the sink. */
  private final class Wait {
    private final Lsn wanted;
    private final Set<TableId> tables;
    private final Set<TableId> notReplicated = new HashSet<>();
    private Optional<Map<TopicPartition, Long>> ends = Optional.empty();

    Wait(Lsn wanted, Set<TableId> tables) {
      this.wanted = wanted;
      this.tables = tables;
    }

    Poller.Finding look() {
      try {
        if (ends.isEmpty()) {
          Optional<Lsn> position = pipeline.sourcePosition();
          if (position.filter(lsn -> lsn.hasPassed(wanted)).isEmpty()) {
            return new Poller.Waiting(
                "source connector \""
                    + settings.sourceConnector()
                    + "\" has durably passed "
                    + position.map(Lsn::toString).orElse("no position, or still takes a snapshot")
                    + ", short of the boundary "
                    + wanted);
          }
          ends = Optional.of(topicEnds());
        }
        return pipeline
            .behind(ends.get())
            .<Poller.Finding>map(
                partition ->
                    new Poller.Waiting(
                        "the source has passed the boundary, but group \""
                            + settings.sinkGroup()
                            + "\" has not committed "
                            + partition))
            .orElseGet(() -> Poller.confirmed(notReplicated));
      } catch (PipelineException e) {
        return new Poller.Waiting(e.getMessage());
      }
    }

    private Map<TopicPartition, Long> topicEnds() {
      if (settings.topicPrefix().isEmpty()) {
        Map<TopicPartition, Long> all = pipeline.ends(Set.copyOf(settings.topics()));
        for (String topic : settings.topics()) {
          if (all.keySet().stream().noneMatch(partition -> partition.topic().equals(topic))) {
            throw new PipelineException(
                "topic \"" + topic + "\" of verify.kafka.topics does not exist");
          }
        }
        return all;
      }
      Map<TableId, String> topics = new TreeMap<>();
      tables.forEach(table -> topics.put(table, topic(table)));
      Map<TopicPartition, Long> found = pipeline.ends(Set.copyOf(topics.values()));
      Set<String> present = new HashSet<>();
      found.keySet().forEach(partition -> present.add(partition.topic()));
      topics.forEach(
          (table, topic) -> {
            if (!present.contains(topic)) {
              notReplicated.add(table);
            }
          });
      return found;
    }

    private String topic(TableId table) {
      return NOT_ALLOWED
          .matcher(settings.topicPrefix().orElseThrow() + '.' + table.schema() + '.' + table.name())
          .replaceAll("_");
    }
  }

  @Override
  public void close() {
    pipeline.close();
  }
}
