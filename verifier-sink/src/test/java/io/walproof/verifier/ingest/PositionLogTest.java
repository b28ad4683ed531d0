package io.walproof.verifier.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PositionLogTest {

  @Test
  void aPositionIsGivenOutOnceEverythingUpToItIsDecided() {
    PositionLog<String> log = new PositionLog<>(10);
    log.reached(3, "a");
    log.reached(5, "b");
    assertThat(log.takeThrough(2)).isEmpty();
    assertThat(log.takeThrough(4)).contains("a");
    assertThat(log.takeThrough(4)).isEmpty();
    assertThat(log.takeThrough(5)).contains("b");
  }

  @Test
  void aPositionWithoutChangesMovesAtOnce() {
    PositionLog<String> log = new PositionLog<>(10);
    log.reached(0, "start");
    log.reached(0, "heartbeat");
    assertThat(log.size()).isEqualTo(1);
    assertThat(log.takeThrough(0)).contains("heartbeat");
  }

  /** Whatever is dropped for space, no position is given out too early, and the last one stays. */
  @Property
  void staysWithinItsBoundAndNeverRunsAhead(
      @ForAll @Size(min = 1, max = 200) List<@IntRange(max = 3) Integer> increments,
      @ForAll @IntRange(min = 2, max = 9) int limit,
      @ForAll @IntRange(max = 600) int decided) {
    PositionLog<Long> log = new PositionLog<>(limit);
    long sequence = 0;
    for (int increment : increments) {
      sequence += increment;
      log.reached(sequence, sequence);
      assertThat(log.size()).isLessThanOrEqualTo(limit);
    }
    log.takeThrough(decided).ifPresent(p -> assertThat(p).isLessThanOrEqualTo(decided));
    long last = sequence;
    PositionLog<Long> full = log;
    if (decided < last) {
      assertThat(full.takeThrough(last)).contains(last);
    }
  }
}
