package io.walproof.verifier.defer;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import io.walproof.verifier.ingest.KeyQueue;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.RowSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeferredQueueTest {

  private final DeferredQueue queue = new DeferredQueue(Duration.ofNanos(100));

  @Test
  void nothingLeavesBeforeTheDelayAndEverythingLeavesOnceInOrder() {
    queue.add(List.of(mismatch("a"), mismatch("b")), 0);
    queue.add(List.of(mismatch("c")), 10);
    assertThat(queue.nextDue()).hasValue(100);
    assertThat(queue.takeDue(99, 10)).isEmpty();
    assertThat(queue.takeDue(100, 1)).extracting(Deferred::planFingerprint).containsExactly("a");
    assertThat(queue.takeDue(109, 10)).extracting(Deferred::planFingerprint).containsExactly("b");
    assertThat(queue.takeDue(110, 10)).extracting(Deferred::planFingerprint).containsExactly("c");
    assertThat(queue.takeDue(1000, 10)).isEmpty();
    assertThat(queue.nextDue()).isEmpty();
  }

  @Test
  void aShutdownTakesEverything() {
    queue.add(List.of(mismatch("a"), mismatch("b")), 0);
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.takeAll()).hasSize(2);
    assertThat(queue.size()).isZero();
  }

  @Test
  void theAgeIsThatOfTheOneThatWaitsLongest() {
    assertThat(queue.oldestAge(5)).isZero();
    queue.add(List.of(mismatch("a")), 10);
    queue.add(List.of(mismatch("b")), 20);
    assertThat(queue.oldestAge(10)).isZero();
    assertThat(queue.oldestAge(35)).isEqualTo(Duration.ofNanos(25));
    assertThat(queue.takeDue(110, 1)).hasSize(1);
    assertThat(queue.oldestAge(120)).isEqualTo(Duration.ofNanos(100));
  }

  /** Due or not, and nothing else. */
  @Test
  void whatIsOfAnAbandonedStreamIsTaken() {
    Watermark kept = new Watermark();
    Watermark abandoned = new Watermark();
    queue.add(List.of(mismatch("a", abandoned), mismatch("b", kept)), 0);
    queue.add(List.of(mismatch("c", abandoned)), 10);
    assertThat(queue.takeAbandoned()).isEmpty();
    abandoned.abandon();
    assertThat(queue.takeAbandoned())
        .extracting(Deferred::planFingerprint)
        .containsExactly("a", "c");
    assertThat(queue.takeDue(100, 10)).extracting(Deferred::planFingerprint).containsExactly("b");
  }

  private static Deferred mismatch(String name, Watermark stream) {
    KeyQueue keys = new KeyQueue(Duration.ZERO);
    keys.offer(
        new ChangedKey(
            new TableId("public", "t"),
            new RowKey(List.of(new RowKey.Column("id", name))),
            Operation.INSERT,
            new Lsn(1),
            1,
            Instant.EPOCH,
            new ShapeHash("0".repeat(32))),
        stream,
        0);
    return new Deferred(
        keys.takeDue(0, 1).get(0),
        RowSnapshot.absent(),
        RowSnapshot.absent(),
        name,
        HeldCommits.NONE);
  }

  private static Deferred mismatch(String name) {
    return new Deferred(null, RowSnapshot.absent(), RowSnapshot.absent(), name, HeldCommits.NONE);
  }
}
