package io.walproof.standalone.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.standalone.bench.FlatLine.Of;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlatLineTest {

  private static final FlatLine HEAP = new FlatLine("heap", "MB", Of.MEDIAN, 0.1, 4);
  private static final FlatLine COUNT = new FlatLine("threads", "", Of.HIGHEST, 0, 3);

  private static List<Double> samples(int count, IntToDoubleFunction value) {
    return IntStream.range(0, count).mapToDouble(value).boxed().toList();
  }

  @Test
  void whatSwingsIsFlat() {
    assertThat(HEAP.judge(samples(120, i -> 60 + i % 7)).holds()).isTrue();
    assertThat(COUNT.judge(samples(120, i -> i % 9 == 0 ? 42 : 40)).holds()).isTrue();
  }

  @Test
  void whatFillsAtFirstIsFlat() {
    assertThat(HEAP.judge(samples(120, i -> Math.min(i, 29) * 10)).holds()).isTrue();
  }

  /** Thirds of the last 90 of 120 samples: the medians lie 60 samples apart. */
  @Test
  void whatGrowsIsNot() {
    Finding leak = HEAP.judge(samples(120, i -> 40 + i * 0.1));
    assertThat(leak.value()).isEqualTo(6, org.assertj.core.api.Assertions.within(1e-9));
    // A tenth of the first third's median of 44.45 is more than 4.
    assertThat(leak.bound().limit()).isEqualTo(4.445, org.assertj.core.api.Assertions.within(1e-9));
    assertThat(leak.holds()).isFalse();
    assertThat(COUNT.judge(samples(120, i -> 40 + i / 20)).holds()).isFalse();
  }

  /** A peak of the last third counts although most of it is low. */
  @Test
  void ofCountsTheHighestIsCompared() {
    assertThat(COUNT.judge(samples(120, i -> i == 110 ? 43 : 40)).holds()).isFalse();
    assertThat(COUNT.judge(samples(120, i -> i == 110 ? 42 : 40)).holds()).isTrue();
  }

  @Test
  void tooFewSamplesSayNothing() {
    assertThatThrownBy(() -> HEAP.judge(samples(11, i -> 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("too few");
  }
}
