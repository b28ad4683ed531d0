package io.walproof.verifier.replay;

import io.walproof.contract.Lsn;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** What strategy {@code kafka_sink} asks of workers and brokers. For one thread. */
interface KafkaPipeline extends AutoCloseable {

  /**
   * The source connector's position that a restart would resume from, read from where it is
   * durable: the records of every transaction that committed before it are on their topics. Empty
   * while there is none, or while a snapshot is being taken.
   *
   * @throws PipelineException if it cannot be told now
   */
  Optional<Lsn> sourcePosition();

  /**
   * Where the topics' partitions end; topics that do not exist are left out.
   *
   * @throws PipelineException if it cannot be told now
   */
  Map<TopicPartition, Long> ends(Set<String> topics);

  /**
   * A partition that the sink's group has not committed past, empty if there is none.
   *
   * @throws PipelineException if it cannot be told now
   */
  Optional<String> behind(Map<TopicPartition, Long> ends);

  @Override
  void close();

  /** A look failed; the next one may succeed. */
  final class PipelineException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PipelineException(String message) {
      super(message);
    }

    PipelineException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
