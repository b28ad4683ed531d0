package io.walproof.verifier.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.metrics.GaugeDisplay;
import io.walproof.metrics.Gauges;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.schedule.OnHold;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The status page counts both strata together, so what metrics say of each must add up to that. */
class KeyGaugesTest {

  private static final TableId ONE = new TableId("public", "one");
  private static final TableId OTHER = new TableId("public", "other");

  /** observed = checked + coalesced + skipped + pending. */
  private static final Coverage CHANGES =
      new Coverage(
          100, 70, 9, Map.of("source_absent", 5L, "no_key", 1L), 15, outcomes("matched", 70L));

  private static final Coverage RANGE_ONE =
      new Coverage(10, 6, 0, Map.of(), 4, outcomes("unresolved_missing", 6L));

  private static final Coverage RANGE_OTHER =
      new Coverage(3, 2, 0, Map.of("source_absent", 1L), 0, outcomes("unresolved_missing", 2L));

  private final Map<String, Supplier<? extends Number>> shown = new HashMap<>();
  private final Gauges gauges =
      Gauges.shownBy(
          new GaugeDisplay() {
            @Override
            public void show(
                String name,
                String description,
                Map<String, String> tags,
                Supplier<? extends Number> value) {
              assertThat(shown.put(name + new TreeMap<>(tags), value)).as("once").isNull();
            }

            @Override
            public void close() {}
          });

  private static Map<String, Long> outcomes(String outcome, long keys) {
    return Map.of(outcome, keys);
  }

  private long value(String gauge) {
    return shown.get(gauge).get().longValue();
  }

  @Test
  void bothStrataAddUpToWhatThePageCounts() {
    KeyGauges.register(
        gauges,
        AuditEntry.Stratum.CDC,
        () -> CHANGES,
        () -> new OnHold(7, Duration.ofMillis(1_500)));
    RangeGauges.registerKeys(
        gauges,
        () -> Map.of(ONE, RANGE_ONE, OTHER, RANGE_OTHER),
        () -> new OnHold(2, Duration.ofSeconds(9)));

    Coverage page = Coverage.sum(List.of(CHANGES, RANGE_ONE, RANGE_OTHER));
    assertThat(both("observed-total")).isEqualTo(page.observed());
    assertThat(both("checked-total")).isEqualTo(page.checked());
    assertThat(both("coalesced-total")).isEqualTo(page.coalesced());
    assertThat(both("skipped-total")).isEqualTo(7);
    assertThat(both("pending")).isEqualTo(page.pending()).isEqualTo(19);
    assertThat(both("deferred")).isEqualTo(9);

    assertThat(value("pending{stratum=cdc}")).isEqualTo(15);
    assertThat(value("pending{stratum=range}")).isEqualTo(4);
    assertThat(value("recheck-age-ms{stratum=cdc}")).isEqualTo(1_500);
    assertThat(value("recheck-age-ms{stratum=range}")).isEqualTo(9_000);
    assertThat(value("verdicts-total{outcome=matched, stratum=cdc}")).isEqualTo(70);
    assertThat(value("verdicts-total{outcome=matched, stratum=range}")).isZero();
    assertThat(value("verdicts-total{outcome=unresolved_missing, stratum=range}")).isEqualTo(8);
    assertThat(value("verdicts-total{outcome=unresolved_missing, stratum=cdc}")).isZero();
  }

  private long both(String gauge) {
    return value(gauge + "{stratum=cdc}") + value(gauge + "{stratum=range}");
  }
}
