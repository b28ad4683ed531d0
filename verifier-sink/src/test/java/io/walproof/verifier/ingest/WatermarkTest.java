package io.walproof.verifier.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class WatermarkTest {

  /** Against a set of open numbers. */
  @Property
  void followsTheOldestOpenNumber(
      @ForAll @Size(max = 200) List<@IntRange(max = 2) Integer> steps, @ForAll long seed) {
    Random random = new Random(seed);
    Watermark watermark = new Watermark();
    TreeSet<Long> open = new TreeSet<>();
    for (int step : steps) {
      if (step < 2) {
        open.add(watermark.issue());
      } else if (!open.isEmpty()) {
        Long chosen = List.copyOf(open).get(random.nextInt(open.size()));
        watermark.close(chosen);
        open.remove(chosen);
        assertThatThrownBy(() -> watermark.close(chosen)).isInstanceOf(IllegalStateException.class);
      }
      assertThat(watermark.decidedThrough())
          .isEqualTo(open.isEmpty() ? watermark.issued() : open.first() - 1);
    }
  }

  @Test
  void keepsCountingOverManyChangesWithOneThatStaysOpenForLong() {
    Watermark watermark = new Watermark();
    int many = 300_000;
    for (int i = 1; i <= many; i++) {
      watermark.issue();
    }
    for (long sequence = 1; sequence <= many; sequence++) {
      if (sequence != 100_000) {
        watermark.close(sequence);
      }
    }
    assertThat(watermark.decidedThrough()).isEqualTo(99_999);
    watermark.close(100_000);
    assertThat(watermark.decidedThrough()).isEqualTo(many);
    assertThatThrownBy(() -> watermark.close(5)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> watermark.close(many + 1)).isInstanceOf(IllegalStateException.class);
    assertThat(watermark.issue()).isEqualTo(many + 1);
    watermark.close(many + 1);
    assertThat(watermark.decidedThrough()).isEqualTo(many + 1);
  }
}
