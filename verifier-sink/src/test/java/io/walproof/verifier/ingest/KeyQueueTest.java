package io.walproof.verifier.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.verifier.ingest.KeyQueue.Offer;
import io.walproof.verifier.model.VisibleTransactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class KeyQueueTest {

  private static final long SETTLE = 100;
  private static final ShapeHash SHAPE = new ShapeHash("0".repeat(32));

  private final KeyQueue queue = new KeyQueue(Duration.ofNanos(SETTLE));
  private final Watermark watermark = new Watermark();

  @Test
  void repeatsAreCoalescedForOneSettleTimeOnly() {
    assertThat(queue.offer(change(1, Operation.INSERT), watermark, 0)).isEqualTo(Offer.QUEUED);
    assertThat(queue.offer(change(1, Operation.UPDATE), watermark, 100)).isEqualTo(Offer.COALESCED);
    assertThat(queue.offer(change(1, Operation.UPDATE), watermark, 101)).isEqualTo(Offer.QUEUED);
    assertThat(queue.size()).isEqualTo(2);
    assertThat(watermark.decidedThrough()).isZero();
  }

  /** Until a read has seen them: the reads before were not judged. */
  @Test
  void aRenewedEntryStandsForTheSameTransactions() {
    queue.offer(change(1, Operation.INSERT), watermark, 0);
    KeyEntry entry = queue.takeDue(SETTLE, 10).get(0);
    VisibleTransactions before = VisibleTransactions.parse("1:1:");
    VisibleTransactions after = VisibleTransactions.parse("2:2:");
    assertThat(entry.isSeenBy(before)).isFalse();
    KeyEntry renewed = entry.renewed(200);
    assertThat(renewed.isSeenBy(before)).isFalse();
    assertThat(renewed.isSeenBy(after)).isTrue();
  }

  @Test
  void anEntryIsDueOneSettleTimeAfterItsLastChange() {
    queue.offer(change(1, Operation.INSERT), watermark, 0);
    queue.offer(change(1, Operation.UPDATE), watermark, 60);
    assertThat(queue.takeDue(100, 10)).isEmpty();
    assertThat(queue.takeDue(159, 10)).isEmpty();
    assertThat(queue.takeDue(160, 10)).hasSize(1);
    assertThat(queue.nextDue()).isEmpty();
  }

  @Test
  void aBatchIsOfOneTableAndOneSetOfKeyColumns() {
    RowKey other = new RowKey(List.of(new RowKey.Column("code", "1")));
    queue.offer(change(1, Operation.INSERT), watermark, 0);
    queue.offer(
        new ChangedKey(
            new TableId("s", "t"), other, Operation.INSERT, new Lsn(1), 1, Instant.EPOCH, SHAPE),
        watermark,
        1);
    queue.offer(change(2, Operation.INSERT), watermark, 2);
    assertThat(queue.takeDue(1000, 10)).extracting(KeyEntry::key).containsExactly(key(1), key(2));
    assertThat(queue.takeDue(1000, 10)).extracting(KeyEntry::key).containsExactly(other);
  }

  @Test
  void twoStreamsNeverShareAnEntry() {
    Watermark second = new Watermark();
    queue.offer(change(1, Operation.INSERT), watermark, 0);
    assertThat(queue.offer(change(1, Operation.INSERT), second, 0)).isEqualTo(Offer.QUEUED);
    queue.takeDue(1000, 10).forEach(KeyEntry::close);
    assertThat(watermark.decidedThrough()).isEqualTo(1);
    assertThat(second.decidedThrough()).isEqualTo(1);
  }

  @Test
  void aSequenceIsClosedOnce() {
    long sequence = watermark.issue();
    watermark.close(sequence);
    assertThatThrownBy(() -> watermark.close(sequence)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> watermark.close(99)).isInstanceOf(IllegalStateException.class);
  }

  /** One step of a random history: a change of a key, then perhaps a take. */
  record Step(int key, int operation, int pause, boolean take) {}

  @Property(tries = 500)
  void everyChangeIsReadAfterItSettledAndWithinTwoSettleTimesOfTheFirst(
      @ForAll @Size(min = 1, max = 60)
          List<@IntRange(min = 0, max = 4 * 3 * 80 * 2 - 1) Integer> encoded) {
    KeyQueue tested = new KeyQueue(Duration.ofNanos(SETTLE));
    Watermark stream = new Watermark();
    // Per key: arrival times of changes that no read has covered yet.
    Map<RowKey, List<Long>> uncovered = new HashMap<>();
    List<KeyEntry> taken = new ArrayList<>();
    long now = 0;
    int queued = 0;
    for (Step step : encoded.stream().map(KeyQueueTest::decode).toList()) {
      now += step.pause();
      Operation operation =
          List.of(Operation.INSERT, Operation.UPDATE, Operation.DELETE).get(step.operation());
      Offer offer = tested.offer(change(step.key(), operation), stream, now);
      if (offer != Offer.SOURCE_ABSENT) {
        uncovered.computeIfAbsent(key(step.key()), k -> new ArrayList<>()).add(now);
      }
      queued += offer == Offer.QUEUED ? 1 : 0;
      if (step.take()) {
        taken.addAll(takeAllDue(tested, uncovered, now));
      }
    }
    // With a reader that looks at every tick, nothing waits longer than two settle times.
    long end = now + 2 * SETTLE;
    while (now <= end) {
      taken.addAll(takeAllDue(tested, uncovered, now));
      now++;
    }
    assertThat(tested.size()).isZero();
    assertThat(uncovered.values()).allSatisfy(times -> assertThat(times).isEmpty());
    assertThat(taken).hasSize(queued);
    taken.forEach(KeyEntry::close);
    assertThat(stream.decidedThrough()).isEqualTo(stream.issued());
  }

  private static List<KeyEntry> takeAllDue(
      KeyQueue queue, Map<RowKey, List<Long>> uncovered, long now) {
    List<KeyEntry> all = new ArrayList<>();
    List<KeyEntry> due = queue.takeDue(now, 3);
    while (!due.isEmpty()) {
      for (KeyEntry entry : due) {
        assertThat(entry.lastArrival() + SETTLE).isLessThanOrEqualTo(now);
        uncovered
            .get(entry.key())
            .removeIf(at -> at >= entry.firstArrival() && at <= entry.lastArrival());
      }
      all.addAll(due);
      due = queue.takeDue(now, 3);
    }
    return all;
  }

  /** Whichever table's first key is due first, also when keys are put off and taken back. */
  @Test
  void tablesComeInTheOrderOfTheirFirstKeys() {
    for (int table = 0; table < 50; table++) {
      queue.offer(changeOf(table, 1), watermark, table);
      queue.offer(changeOf(table, 2), watermark, 200L + table);
    }
    assertThat(queue.nextDue()).hasValue(SETTLE);
    List<KeyEntry> first = queue.takeDue(SETTLE, 10);
    assertThat(first).extracting(entry -> entry.table().name()).containsExactly("t0");
    queue.postpone(first.get(0), SETTLE);
    assertThat(queue.nextDue()).hasValue(SETTLE + 1);
    List<String> order = new ArrayList<>();
    for (long now = SETTLE + 1; queue.size() > 0; now++) {
      for (KeyEntry entry : queue.takeDue(now, 1)) {
        assertThat(entry.lastArrival() + SETTLE).isEqualTo(now);
        order.add(entry.table().name() + '/' + entry.key().texts().get(0));
      }
    }
    List<String> expected = new ArrayList<>();
    for (int table = 1; table < 50; table++) {
      expected.add("t" + table + "/1");
    }
    // Put off at 100: due at 200, behind all first keys and ahead of all second ones.
    expected.add("t0/1");
    for (int table = 0; table < 50; table++) {
      expected.add("t" + table + "/2");
    }
    assertThat(order).isEqualTo(expected);
    assertThat(queue.nextDue()).isEmpty();
  }

  @Test
  void whatIsAbandonedLeavesTheOthersInOrder() {
    Watermark gone = new Watermark();
    queue.offer(changeOf(1, 1), gone, 0);
    queue.offer(changeOf(1, 2), watermark, 30);
    queue.offer(changeOf(2, 1), gone, 10);
    queue.offer(changeOf(3, 1), watermark, 20);
    gone.abandon();
    assertThat(queue.takeAbandoned()).hasSize(2);
    assertThat(queue.nextDue()).hasValue(20 + SETTLE);
    assertThat(queue.takeDue(1_000, 10)).extracting(e -> e.table().name()).containsExactly("t3");
    assertThat(queue.takeDue(1_000, 10)).extracting(e -> e.table().name()).containsExactly("t1");
    queue.offer(changeOf(1, 3), watermark, 2_000);
    assertThat(queue.takeAll()).hasSize(1);
    queue.offer(changeOf(1, 3), watermark, 3_000);
    assertThat(queue.takeDue(3_000 + SETTLE, 10)).hasSize(1);
  }

  private static ChangedKey changeOf(int table, int id) {
    return new ChangedKey(
        new TableId("s", "t" + table),
        key(id),
        Operation.INSERT,
        new Lsn(1),
        1,
        Instant.EPOCH,
        SHAPE);
  }

  private static Step decode(int code) {
    return new Step(code % 4, code / 4 % 3, code / 12 % 80, code / 960 == 1);
  }

  private static RowKey key(int id) {
    return new RowKey(List.of(new RowKey.Column("id", Integer.toString(id))));
  }

  private static ChangedKey change(int id, Operation operation) {
    return new ChangedKey(
        new TableId("s", "t"), key(id), operation, new Lsn(1), 1, Instant.EPOCH, SHAPE);
  }
}
