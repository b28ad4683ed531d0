package io.walproof.verifier.defer;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.verifier.model.RowSnapshot;
import java.time.Duration;
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
    assertThat(queue.takeAll()).hasSize(2);
    assertThat(queue.size()).isZero();
  }

  private static Deferred mismatch(String name) {
    return new Deferred(null, RowSnapshot.absent(), RowSnapshot.absent(), name);
  }
}
