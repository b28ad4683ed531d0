package io.walproof.standalone.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class GrowthCurveTest {

  private static final GrowthCurve CURVE = new GrowthCurve(Bench.QUEUE, "a key", "ns", 5);

  /** What one of so many costs, from what all of them cost together. */
  private static SortedMap<Integer, Double> each(IntToDoubleFunction whole, int... sizes) {
    SortedMap<Integer, Double> costs = new TreeMap<>();
    for (int size : sizes) {
      costs.put(size, whole.applyAsDouble(size) / size);
    }
    return costs;
  }

  @Test
  void whatIsLinearHolds() {
    Finding linear = CURVE.judge(each(n -> 3.0 * n, 100, 1_000, 10_000));
    assertThat(linear.value()).isEqualTo(1, within(1e-9));
    assertThat(linear.samples().get("exponent").get(0)).isEqualTo(1, within(1e-9));
    assertThat(linear.holds()).isTrue();
  }

  @Test
  void aLogarithmHolds() {
    assertThat(CURVE.judge(each(n -> n * Math.log(n), 100, 1_000, 10_000)).value())
        .isEqualTo(2, within(1e-9));
  }

  @Test
  void whatIsQuadraticDoesNot() {
    Finding quadratic = CURVE.judge(each(n -> 0.01 * n * n, 100, 1_000, 10_000));
    assertThat(quadratic.value()).isEqualTo(100, within(1e-6));
    assertThat(quadratic.samples().get("exponent").get(0)).isEqualTo(2, within(1e-9));
    assertThat(quadratic.holds()).isFalse();
  }

  @Test
  void whatCostsNothingOrHasOneSizeIsNoCurve() {
    assertThatThrownBy(() -> CURVE.judge(each(n -> 0, 1, 2)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> CURVE.judge(each(n -> Double.NaN, 1, 2)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> CURVE.judge(each(n -> 1, 10)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
