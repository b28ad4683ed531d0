package io.walproof.standalone.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One figure held against its bound.
 *
 * @param bench which bench found it
 * @param figure what it is
 * @param value the value
 * @param unit its unit, {@code ratio} for a ratio
 * @param bound what it must keep
 * @param samples what it was made from, by name, in the order of the runs
 */
record Finding(
    Bench bench,
    String figure,
    double value,
    String unit,
    Bound bound,
    Map<String, List<Double>> samples) {

  Finding {
    // Map.copyOf would lose the order, which people read.
    samples = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(samples));
  }

  /** A ratio of two medians that must reach the bound. */
  static Finding ratio(
      Bench bench, String figure, double atLeast, Sample measured, Sample reference) {
    return ratio(bench, figure, new Bound(Bound.Kind.AT_LEAST, atLeast), measured, reference);
  }

  /** A ratio of two medians that must stay below the bound. */
  static Finding below(
      Bench bench, String figure, double below, Sample measured, Sample reference) {
    return ratio(bench, figure, new Bound(Bound.Kind.BELOW, below), measured, reference);
  }

  private static Finding ratio(
      Bench bench, String figure, Bound bound, Sample measured, Sample reference) {
    Map<String, List<Double>> samples = new LinkedHashMap<>();
    samples.put(measured.name(), measured.values());
    samples.put(reference.name(), reference.values());
    return new Finding(
        bench, figure, measured.median() / reference.median(), "ratio", bound, samples);
  }

  boolean holds() {
    return bound.holds(value);
  }

  /**
   * A bound.
   *
   * @param kind its direction
   * @param limit the limit, in the figure's unit
   */
  record Bound(Kind kind, double limit) {

    enum Kind {
      AT_LEAST(">="),
      BELOW("<");

      private final String sign;

      Kind(String sign) {
        this.sign = sign;
      }

      String sign() {
        return sign;
      }
    }

    boolean holds(double value) {
      return switch (kind) {
        case AT_LEAST -> value >= limit;
        case BELOW -> value < limit;
      };
    }
  }
}
