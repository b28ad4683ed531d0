package io.walproof.verifier.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.replay.KafkaPipeline.PipelineException;
import io.walproof.verifier.replay.ReplayConfirmation.Boundary;
import io.walproof.verifier.replay.ReplayConfirmation.Emission;
import io.walproof.verifier.replay.ReplayConfirmation.Result;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaSinkConfirmationTest {

  private static final TableId ORDERS = new TableId("public", "orders");
  private static final TableId ODD = new TableId("public", "o r#s");
  private static final Lsn BOUNDARY = new Lsn(1000);

  /** Answers in order, the last one again and again; tells what it was asked. */
  private static final class Scripted implements KafkaPipeline {
    private final Deque<Object> positions = new ArrayDeque<>();
    private final Deque<Optional<String>> behind = new ArrayDeque<>();
    private final Map<String, Long> topics = new HashMap<>();
    private final List<String> asked = new ArrayList<>();

    @Override
    public Optional<Lsn> sourcePosition() {
      asked.add("position");
      Object next = positions.size() > 1 ? positions.remove() : positions.element();
      if (next instanceof PipelineException failure) {
        throw failure;
      }
      return next.equals(0L) ? Optional.empty() : Optional.of(new Lsn((Long) next));
    }

    @Override
    public Map<TopicPartition, Long> ends(Set<String> wanted) {
      asked.add("ends");
      Map<TopicPartition, Long> ends = new HashMap<>();
      for (String topic : wanted) {
        if (topics.containsKey(topic)) {
          ends.put(new TopicPartition(topic, 0), topics.get(topic));
        }
      }
      return ends;
    }

    @Override
    public Optional<String> behind(Map<TopicPartition, Long> ends) {
      asked.add("behind" + ends.values());
      return behind.size() > 1 ? behind.remove() : behind.element();
    }

    @Override
    public void close() {}
  }

  private static final class VirtualTime implements Time {
    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public void waitOn(Object monitor, Duration atMost) {
      nanos += atMost.toNanos();
    }
  }

  private final VirtualTime time = new VirtualTime();
  private final Scripted pipeline = new Scripted();
  private int messages;

  private Result await(Optional<String> prefix, List<String> topics, TableId... tables) {
    KafkaSinkSettings settings =
        new KafkaSinkSettings(
            URI.create("http://connect:8083"),
            Optional.empty(),
            Optional.empty(),
            "debezium",
            "connect-jdbc",
            prefix,
            topics,
            Duration.ofSeconds(60),
            Duration.ofSeconds(1),
            Map.of());
    try (KafkaSinkConfirmation confirmation =
        new KafkaSinkConfirmation(
            settings,
            pipeline,
            (deadline, cancel) -> {
              messages++;
              return new Emission.Emitted(new Boundary(Optional.of(new Lsn(2000)), ""));
            },
            new Poller(time, Duration.ofMillis(100)))) {
      return confirmation.await(
          new Boundary(Optional.of(BOUNDARY), ""),
          Set.of(tables),
          Deadline.in(time, Duration.ofSeconds(5)),
          new Cancellation());
    }
  }

  /** The ends are taken once, and not before the source has passed. */
  @Test
  void firstTheSourceThenTheSink() {
    pipeline.topics.put("shop.public.orders", 7L);
    pipeline.positions.addAll(List.of(0L, 999L, 1000L));
    pipeline.behind.addAll(List.of(Optional.of("orders"), Optional.empty()));
    assertThat(await(Optional.of("shop"), List.of(), ORDERS))
        .isEqualTo(new Result.Confirmed(Set.of()));
    assertThat(pipeline.asked)
        .containsExactly("position", "position", "position", "ends", "behind[7]", "behind[7]");
    assertThat(messages).as("records after the boundary, for an idle source").isEqualTo(1);
  }

  @Test
  void aSourceThatStaysShortIsNoConfirmation() {
    pipeline.positions.add(999L);
    Result result = await(Optional.of("shop"), List.of(), ORDERS);
    assertThat(result)
        .isInstanceOfSatisfying(
            Result.NotConfirmed.class,
            not -> {
              assertThat(not.reason()).isEqualTo(IncompleteReason.REPLAY_NOT_CONFIRMED);
              assertThat(not.detail()).contains("debezium").contains("0/3E7").contains("0/3E8");
            });
    assertThat(pipeline.asked).doesNotContain("ends");
  }

  @Test
  void aSinkThatLagsIsNoConfirmation() {
    pipeline.topics.put("shop.public.orders", 7L);
    pipeline.positions.add(5000L);
    pipeline.behind.add(Optional.of("topic shop.public.orders partition 0"));
    assertThat(await(Optional.of("shop"), List.of(), ORDERS))
        .isInstanceOfSatisfying(
            Result.NotConfirmed.class,
            not -> assertThat(not.detail()).contains("connect-jdbc").contains("partition 0"));
  }

  /** No topic after the source has passed: the connector does not carry the table. */
  @Test
  void aTableWithoutATopicIsNotReplicated() {
    pipeline.topics.put("shop.public.o_r_s", 0L);
    pipeline.positions.add(5000L);
    pipeline.behind.add(Optional.empty());
    assertThat(await(Optional.of("shop"), List.of(), ORDERS, ODD))
        .isEqualTo(new Result.Confirmed(Set.of(ORDERS)));
  }

  @Test
  void aNamedTopicThatDoesNotExistProvesNothing() {
    pipeline.topics.put("routed", 3L);
    pipeline.positions.add(5000L);
    pipeline.behind.add(Optional.empty());
    assertThat(await(Optional.empty(), List.of("routed"), ORDERS))
        .isEqualTo(new Result.Confirmed(Set.of()));
    assertThat(await(Optional.empty(), List.of("routed", "mistyped"), ORDERS))
        .isInstanceOfSatisfying(
            Result.NotConfirmed.class, not -> assertThat(not.detail()).contains("mistyped"));
  }

  @Test
  void aLookThatFailsIsRepeated() {
    pipeline.topics.put("shop.public.orders", 7L);
    pipeline.positions.addAll(List.of(new PipelineException("no answer"), 1000L));
    pipeline.behind.add(Optional.empty());
    assertThat(await(Optional.of("shop"), List.of(), ORDERS))
        .isEqualTo(new Result.Confirmed(Set.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"offsets\":[]}|0",
        "{\"offsets\":[{\"partition\":{\"server\":\"s\"},\"offset\":{}}]}|0",
        "{\"offsets\":[{\"offset\":{\"lsn\":7,\"lsn_commit\":5}}]}|7",
        "{\"offsets\":[{\"offset\":{\"lsn\":5,\"lsn_commit\":7}}]}|7",
        "{\"offsets\":[{\"offset\":{\"lsn\":7}}]}|7",
        "{\"offsets\":[{\"offset\":{\"lsn\":7,\"lsn_proc\":9}}]}|7",
        "{\"offsets\":[{\"offset\":{\"lsn\":7,\"snapshot\":\"INITIAL\"}}]}|0",
      })
  void whatTheStoredOffsetProves(String answer, long position) throws Exception {
    Optional<Lsn> expected = position == 0 ? Optional.empty() : Optional.of(new Lsn(position));
    assertThat(ConnectOffsets.position(JsonMapper.builder().build().readTree(answer)))
        .isEqualTo(expected);
  }

  @Test
  void severalOffsetsAreNoDebeziumConnectorForPostgres() throws Exception {
    var answer =
        JsonMapper.builder()
            .build()
            .readTree("{\"offsets\":[{\"offset\":{\"lsn\":7}},{\"offset\":{\"lsn\":8}}]}");
    assertThatThrownBy(() -> ConnectOffsets.position(answer)).isInstanceOf(PipelineException.class);
  }
}
