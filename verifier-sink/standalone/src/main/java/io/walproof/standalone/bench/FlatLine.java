package io.walproof.standalone.bench;

import io.walproof.standalone.bench.Finding.Bound;
import java.util.List;
import java.util.Map;

/**
 * Whether a figure stays where it is under an even load. The first quarter of the samples is left
 * out: caches fill, and the first keys come to their decisions. The rest is cut into thirds, and
 * the last may lie above the first by a limit only: the larger of a share of the first and of what
 * such a figure does by chance. A leak of any size is seen by a run that is long enough.
 *
 * @param figure what it is
 * @param unit its unit
 * @param of what of a third is compared
 * @param share how much of the first third may come on top
 * @param floor how much may come on top in any case, in the unit
 */
record FlatLine(String figure, String unit, Of of, double share, double floor) {

  /** Fewer samples would say nothing. */
  static final int FEWEST = 12;

  /** What is compared. */
  enum Of {
    /** Of figures that swing. */
    MEDIAN,
    /** Of counts, where the most that was seen is what matters. */
    HIGHEST
  }

  /** Judges the samples, in order, taken at even times. */
  Finding judge(List<Double> samples) {
    if (samples.size() < FEWEST) {
      throw new IllegalStateException(
          "only " + samples.size() + " samples of " + figure + "; that is too few to tell");
    }
    List<Double> warm = samples.subList(samples.size() / 4, samples.size());
    int third = warm.size() / 3;
    double first = value(warm.subList(0, third));
    double last = value(warm.subList(warm.size() - third, warm.size()));
    return new Finding(
        Bench.SOAK,
        "growth of " + figure,
        last - first,
        unit,
        new Bound(Bound.Kind.BELOW, Math.max(first * share, floor)),
        Map.of(figure, samples));
  }

  private double value(List<Double> part) {
    Sample sample = new Sample(figure, part);
    return switch (of) {
      case MEDIAN -> sample.median();
      case HIGHEST -> sample.highest();
    };
  }
}
