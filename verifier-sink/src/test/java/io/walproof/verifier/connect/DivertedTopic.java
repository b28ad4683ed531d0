package io.walproof.verifier.connect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.ChangedKey;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.contract.topic.ChangedKeyRecord;
import io.walproof.contract.topic.DriftRecord;
import io.walproof.contract.topic.RecordHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes a topic of diverted tables as the source connector does. */
final class DivertedTopic implements AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final ShapeHash HASH = new ShapeHash("0123456789abcdef0123456789abcdef");

  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;

  DivertedTopic(String bootstrapServers, String topic) {
    this.topic = topic;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  void key(TableId table, int id) throws Exception {
    write(
        ChangedKeyRecord.value(
            new ChangedKey(
                table,
                new RowKey(List.of(new RowKey.Column("id", Integer.toString(id)))),
                Operation.UPDATE,
                new Lsn(1),
                0,
                Instant.EPOCH,
                HASH)),
        "");
  }

  void begin(TableId table) throws Exception {
    write(event(table, Kind.SHAPE_CHANGED, "diverted"), RecordHeaders.BEGIN);
  }

  void accept(TableId table) throws Exception {
    write(event(table, Kind.SHAPE_ACCEPTED, "accepted"), RecordHeaders.END);
  }

  private static Map<String, Object> event(TableId table, Kind kind, String action) {
    return DriftRecord.value(
        new DriftEvent(
            kind,
            Occurrence.IN_PROCESS,
            Optional.of(table),
            new Lsn(1),
            1,
            Optional.empty(),
            Optional.of(HASH),
            List.of(),
            Optional.empty(),
            "dlq",
            action,
            ""));
  }

  private void write(Map<String, Object> value, String mark)
      throws ExecutionException, InterruptedException, JsonProcessingException {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, 0, null, JSON.writeValueAsBytes(value));
    header(record, RecordHeaders.DLQ_REASON, RecordHeaders.SHAPE_NOT_ACCEPTED);
    if (!mark.isEmpty()) {
      header(record, RecordHeaders.DLQ_MARK, mark);
    }
    producer.send(record).get();
  }

  private static void header(ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    producer.close();
  }
}
