package io.walproof.standalone.bench;

import java.util.List;

/**
 * The same measurement, made several times.
 *
 * @param name what was measured, with its unit
 * @param values one per run, in order; at least one
 */
record Sample(String name, List<Double> values) {

  Sample {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("a sample has at least one value");
    }
  }

  /** The middle value, or the mean of the two in the middle. */
  double median() {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  double highest() {
    return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }
}
