package io.walproof.verifier.core;

import io.walproof.verifier.model.Verdict;
import java.util.Map;
import java.util.TreeMap;

/** What became of the rows of simulated histories. Rows at rest did not change on the source. */
final class SimulatedTally {

  /** Rows of the target that became wrong. */
  long injected;

  /** Rows at rest that were wrong at their recheck, and called so. */
  long found;

  /** Rows at rest that were wrong at their recheck, and only called advanced: they had moved. */
  long excused;

  /** Rows that ended wrong, and whose last check said so. */
  long endedFound;

  /** Rows that ended wrong, and whose last check only saw them move. */
  long endedExcused;

  /** Rows that ended wrong, and whose last check could not judge, and said why. */
  long endedUnjudged;

  /** Rows that ended wrong by a stray write behind their last check: range checks find those. */
  long strayAfterwards;

  /** Rows that only the target has at the end: not judged by key checks. */
  long onlyOnTarget;

  /** Rechecks by outcome. */
  final Map<String, Long> outcomes = new TreeMap<>();

  void count(Verdict verdict) {
    outcomes.merge(word(verdict), 1L, Long::sum);
  }

  private static String word(Verdict verdict) {
    if (verdict instanceof Verdict.Unresolved unresolved) {
      return "unresolved " + unresolved.kind().text();
    } else if (verdict instanceof Verdict.Advanced advanced) {
      return "advanced" + advanced.gap().map(gap -> ", " + gap.text()).orElse("");
    } else if (verdict instanceof Verdict.Incomplete incomplete) {
      return "incomplete " + incomplete.reason().text();
    } else if (verdict instanceof Verdict.Converged converged
        && converged.matchedVersion().isPresent()) {
      return "converged by version";
    }
    return verdict.outcome();
  }

  long beginning(String word) {
    return outcomes.entrySet().stream()
        .filter(e -> e.getKey().startsWith(word))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  void add(SimulatedTally other) {
    injected += other.injected;
    found += other.found;
    excused += other.excused;
    endedFound += other.endedFound;
    endedExcused += other.endedExcused;
    endedUnjudged += other.endedUnjudged;
    strayAfterwards += other.strayAfterwards;
    onlyOnTarget += other.onlyOnTarget;
    other.outcomes.forEach((word, n) -> outcomes.merge(word, n, Long::sum));
  }

  @Override
  public String toString() {
    return "became wrong "
        + injected
        + "; wrong at rest: found "
        + found
        + ", excused "
        + excused
        + "; ended wrong: found "
        + endedFound
        + ", excused "
        + endedExcused
        + ", unjudged "
        + endedUnjudged
        + ", by a stray write "
        + strayAfterwards
        + ", only on the target "
        + onlyOnTarget
        + "; rechecks "
        + outcomes;
  }
}
