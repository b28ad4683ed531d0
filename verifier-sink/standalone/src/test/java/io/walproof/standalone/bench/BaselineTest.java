package io.walproof.standalone.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.standalone.bench.Finding.Bound;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselineTest {

  @TempDir Path dir;

  private static Finding finding(Bench bench, String figure, double value, Bound.Kind kind) {
    return new Finding(bench, figure, value, "ratio", new Bound(kind, 1), Map.of());
  }

  private static BenchReport report(double speed, double cost) {
    return new BenchReport(
        List.of(
            finding(Bench.KEYS, "speed", speed, Bound.Kind.AT_LEAST),
            finding(Bench.RANGE, "cost", cost, Bound.Kind.BELOW),
            new Finding(
                Bench.HEAP, "heap", 1e9, "MB", new Bound(Bound.Kind.BELOW, 256), Map.of())));
  }

  private static Baseline baseline(double speed, double cost) throws Exception {
    return Baseline.parse(Baseline.of(report(speed, cost)));
  }

  @Test
  void aFileAndARunsResultAreTheSameBaseline() throws Exception {
    Path written = dir.resolve("baseline.json");
    Files.writeString(written, Baseline.of(report(0.75, 1.4)));
    Path result = dir.resolve("result.json");
    Files.writeString(result, report(0.75, 1.4).json());
    assertThat(Baseline.load(written.toString())).isEqualTo(Baseline.load(result.toString()));
    assertThat(Baseline.load(written.toString()).ratios())
        .containsOnly(
            Map.entry(new Baseline.Name("keys", "speed"), 0.75),
            Map.entry(new Baseline.Name("range", "cost"), 1.4));
  }

  @Test
  void worseIsAgainstTheBoundsDirectionAndBeyondTheTolerance() throws Exception {
    Baseline before = baseline(0.8, 1.0);
    assertThat(before.worse(report(0.61, 1.24), 0.25)).isEmpty();
    assertThat(before.worse(report(9, 0.1), 0.25)).isEmpty();
    assertThat(before.worse(report(0.59, 1.0), 0.25))
        .containsExactly("keys: speed: 0.590, the baseline has 0.800");
    assertThat(before.worse(report(0.8, 1.26), 0.25))
        .containsExactly("range: cost: 1.260, the baseline has 1.000");
  }

  @Test
  void whatIsNoNumberIsWorse() throws Exception {
    assertThat(baseline(0.8, 1).worse(report(Double.NaN, 1), 0.25)).hasSize(1);
  }

  @Test
  void aBenchThatRanMustHaveMeasuredWhatTheBaselineHas() throws Exception {
    BenchReport keysOnly =
        new BenchReport(List.of(finding(Bench.KEYS, "other", 1, Bound.Kind.AT_LEAST)));
    assertThat(baseline(0.8, 1).worse(keysOnly, 0.25))
        .containsExactly(
            "keys: speed: was not measured; the baseline is of other sizes, or outdated");
  }

  @Test
  void whatIsNoBaselineIsRefused() throws Exception {
    Path file = dir.resolve("other.json");
    for (String text :
        List.of(
            "", "no json", "{}", "{\"findings\":[]}", "{\"findings\":[{\"unit\":\"ratio\"}]}")) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> Baseline.load(file.toString()))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("other.json");
    }
    assertThatThrownBy(() -> Baseline.load(dir.resolve("none.json").toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no baseline");
  }

  /** At least those of the way of a change, of a key and of a range. */
  @Test
  void theOneThatComesAlongIsOne() throws Exception {
    assertThat(Baseline.load(Baseline.DEFAULT).ratios().keySet())
        .extracting(Baseline.Name::bench)
        .contains("engine", "keys", "range");
  }
}
