package io.walproof.standalone.bench;

import io.walproof.standalone.bench.Finding.Bound;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Whether what grows with work grows no faster than the work: the cost of one unit at the largest
 * size over that at the smallest. What is linear has 1, what is quadratic the ratio of the sizes,
 * which should be ten or more. The exponent is fitted through all points, for people.
 *
 * @param bench which bench measures it
 * @param figure what it is
 * @param unit the unit of the costs
 * @param most the ratio must stay below this
 */
record GrowthCurve(Bench bench, String figure, String unit, double most) {

  /**
   * Judges the costs.
   *
   * @param costs of one unit of work, by size; at least two sizes
   */
  Finding judge(SortedMap<Integer, Double> costs) {
    if (costs.size() < 2) {
      throw new IllegalArgumentException("a curve has two points or more");
    }
    costs.forEach(this::requirePositive);
    Map<String, List<Double>> samples = new LinkedHashMap<>();
    samples.put("sizes", costs.keySet().stream().map(Integer::doubleValue).toList());
    samples.put("cost_of_one_in_" + unit, new ArrayList<>(costs.values()));
    samples.put("exponent", List.of(exponent(costs)));
    return new Finding(
        bench,
        "growth: " + figure,
        costs.get(costs.lastKey()) / costs.get(costs.firstKey()),
        "ratio",
        new Bound(Bound.Kind.BELOW, most),
        samples);
  }

  private void requirePositive(int size, double cost) {
    if (!(cost > 0) || size < 1) {
      throw new IllegalStateException(figure + ": " + size + " cost " + cost + " " + unit);
    }
  }

  /** Of the whole cost over the size, by least squares over the logarithms: 1 if it is linear. */
  static double exponent(SortedMap<Integer, Double> costs) {
    double meanSize = 0;
    double meanCost = 0;
    for (Map.Entry<Integer, Double> point : costs.entrySet()) {
      meanSize += Math.log(point.getKey()) / costs.size();
      meanCost += Math.log(point.getValue()) / costs.size();
    }
    double together = 0;
    double square = 0;
    for (Map.Entry<Integer, Double> point : costs.entrySet()) {
      double size = Math.log(point.getKey()) - meanSize;
      together += size * (Math.log(point.getValue()) - meanCost);
      square += size * size;
    }
    return 1 + together / square;
  }
}
