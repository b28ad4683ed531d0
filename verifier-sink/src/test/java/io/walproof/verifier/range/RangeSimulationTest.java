package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.RowKey;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.range.RangeSimulation.Traits;
import io.walproof.verifier.row.SimulatedSides;
import io.walproof.verifier.row.SimulatedSides.Keys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Properties of range checks over many seeded histories: whatever the orders, chunks, digests,
 * failures, restarts and writes, the result names exactly what differs. {@code
 * -Dwalproof.simulation.seeds=100000} makes it the long run.
 */
class RangeSimulationTest {

  private static final long SEEDS = Long.getLong("walproof.simulation.seeds", 240L) / 24;

  @TempDir Path ledgers;

  static Stream<Traits> traits() {
    return Stream.of(Keys.values())
        .flatMap(
            keys ->
                Stream.of(true, false)
                    .flatMap(
                        indexed ->
                            Stream.of(true, false)
                                .flatMap(
                                    busy ->
                                        Stream.of(true, false)
                                            .map(
                                                troubled ->
                                                    new Traits(
                                                        keys,
                                                        indexed,
                                                        DigestPlace.CLIENT,
                                                        busy,
                                                        troubled)))));
  }

  @ParameterizedTest
  @MethodSource("traits")
  void whatDiffersIsNamedAndNothingElse(Traits traits) throws Exception {
    for (long seed = 0; seed < SEEDS; seed++) {
      DigestPlace place = seed % 2 == 0 ? DigestPlace.CLIENT : DigestPlace.SERVER;
      Path own = Files.createDirectory(ledgers.resolve(traits.hashCode() + "-" + seed));
      RangeSimulation history =
          new RangeSimulation(
              seed,
              new Traits(traits.keys(), traits.indexed(), place, traits.busy(), traits.troubled()),
              own);
      RangeResult result;
      try {
        result = history.play();
        history.applyAll();
        judge(history, result);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "seed " + seed + ": " + e.getMessage() + "\n" + history.story(), e);
      }
    }
  }

  private static void judge(RangeSimulation history, RangeResult result) {
    Map<Integer, List<String>> source = history.rows(Side.SOURCE);
    Map<Integer, List<String>> target = history.rows(Side.TARGET);
    Set<Integer> missing = new TreeSet<>();
    Set<Integer> different = new TreeSet<>();
    Set<Integer> undecidable = new TreeSet<>();
    source.forEach(
        (key, values) -> {
          List<String> there = target.getOrDefault(key, List.of());
          if (there.isEmpty()) {
            missing.add(key);
          } else if (there.size() > 1 || history.isUnreadable(key)) {
            undecidable.add(key);
          } else if (!there.equals(values)) {
            different.add(key);
          }
        });
    long most = history.keyless();
    long least = history.keyless();
    for (Map.Entry<Integer, List<String>> row : target.entrySet()) {
      if (!source.containsKey(row.getKey())) {
        most += row.getValue().size();
        // Of one key's rows no more than a thousand behind the end of a page are counted.
        least += Math.min(row.getValue().size(), 1_000);
      }
    }
    assertThat(named(result, "unresolved_missing")).as("missing").isEqualTo(missing);
    assertThat(named(result, "unresolved_different")).as("different").isEqualTo(different);
    assertThat(named(result, "incomplete")).as("undecidable").isEqualTo(undecidable);
    assertThat(result.targetOnly().count()).as("only on the target").isBetween(least, most);
    assertThat(result.outcome())
        .isEqualTo(
            !missing.isEmpty() || !different.isEmpty()
                ? RangeOutcome.FAILED
                : undecidable.isEmpty() ? RangeOutcome.PROVED : RangeOutcome.INCOMPLETE);
    if (!history.traits().busy()) {
      assertThat(result.progress().rows()).as("rows").isEqualTo(source.size());
    }
  }

  private static Set<Integer> named(RangeResult result, String outcome) {
    Set<Integer> numbers = new TreeSet<>();
    RangeResult.Names names =
        result.keys().byOutcome().getOrDefault(outcome, RangeResult.Names.NONE);
    for (RowKey key : names.named()) {
      numbers.add(SimulatedSides.number(key));
    }
    return numbers;
  }
}
