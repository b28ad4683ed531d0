package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** The queue is bounded, keeps order and batches, and loses no position (invariant J). */
class HandoverTest {

  private static final Position POSITION =
      Position.start(Lsn.parse("0/1"), SchemaHistory.empty(), WalOrigin.of("7"));

  private final Handover handover = new Handover(10, Time.system());

  private static List<SourceRecord> batch(int size) {
    return IntStream.range(0, size)
        .mapToObj(i -> new SourceRecord(Map.of(), Map.of(), "t", null, "v" + i))
        .toList();
  }

  private List<SourceRecord> take() throws InterruptedException {
    return handover.take(Duration.ZERO);
  }

  @Test
  void batchesLeaveWholeAndInOrder() throws Exception {
    List<SourceRecord> one = batch(3);
    List<SourceRecord> two = batch(4);
    handover.put(one, Optional.empty());
    handover.put(two, Optional.empty());
    assertThat(handover.size()).isEqualTo(7);
    assertThat(take()).isSameAs(one);
    assertThat(take()).isSameAs(two);
    assertThat(take()).isEmpty();
    assertThat(handover.size()).isZero();
  }

  @Test
  void aFullQueueHoldsTheCaptureBack() throws Exception {
    handover.put(batch(8), Optional.empty());
    Thread capture = putOnAThread(batch(3));
    await().until(() -> capture.getState() == Thread.State.WAITING);
    assertThat(handover.size()).isEqualTo(8);
    assertThat(take()).hasSize(8);
    capture.join();
    assertThat(take()).hasSize(3);
  }

  @Test
  void aBatchBeyondTheBoundGoesAlone() throws Exception {
    handover.put(batch(25), Optional.empty());
    assertThat(take()).hasSize(25);
  }

  @Test
  void aPositionWithoutARecordWaitsForTheRecordsBeforeIt() throws Exception {
    handover.put(batch(1), Optional.of(POSITION));
    assertThat(handover.takeTrailing()).isEmpty();
    take();
    assertThat(handover.takeTrailing()).contains(POSITION);
    assertThat(handover.takeTrailing()).isEmpty();
  }

  @Test
  void aLaterRecordCarriesItInstead() throws Exception {
    handover.put(List.of(), Optional.of(POSITION));
    handover.put(batch(1), Optional.empty());
    take();
    assertThat(handover.takeTrailing()).isEmpty();
  }

  @Test
  void theEndWakesTheCaptureAndKeepsWhatIsThere() throws Exception {
    handover.put(batch(10), Optional.empty());
    Thread capture = putOnAThread(batch(10));
    await().until(() -> capture.getState() == Thread.State.WAITING);
    handover.close();
    capture.join();
    assertThat(take()).hasSize(10);
    assertThat(take()).isEmpty();
  }

  private Thread putOnAThread(List<SourceRecord> batch) {
    Thread thread =
        new Thread(
            () -> {
              try {
                handover.put(batch, Optional.empty());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    return thread;
  }
}
