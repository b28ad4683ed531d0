package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.standalone.run.RangeReport;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.range.RangeResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RangeTextTest {

  /** Thousands of tables that are not the pipeline's must not hide the one that is. */
  @Test
  void tablesThatAreLeftOutTakeALineForEachReason() {
    List<RangeResult> leftOut = new ArrayList<>();
    for (int i = 1; i <= 1_500; i++) {
      leftOut.add(skipped("log_" + i, "excluded_by_filter", "the lists leave it out"));
    }
    leftOut.add(skipped("alone", "not_published", "no publication has it"));
    List<RangeResult> asked = List.of(skipped("orders", "part", "published in part"));
    List<String> lines = lines(new RangeReport("r", asked, leftOut));
    assertThat(lines.subList(2, lines.size()))
        .satisfiesExactly(
            heading -> assertThat(heading).startsWith("table"),
            row -> assertThat(row).matches("public\\.orders +skipped .*"),
            why -> assertThat(why).isEqualTo("public.orders: part: published in part"),
            many ->
                assertThat(many)
                    .isEqualTo(
                        "not checked, 1,500 tables (excluded_by_filter: the lists leave it out):"
                            + " public.log_1, public.log_2, public.log_3, public.log_4,"
                            + " public.log_5, public.log_6, public.log_7, public.log_8,"
                            + " public.log_9, public.log_10 and 1,490 more (--json)"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "not checked, 1 table (not_published: no publication has it):"
                            + " public.alone"));
    assertThat(lines(new RangeReport("r", asked, leftOut.subList(0, 10))))
        .last()
        .asString()
        .startsWith("not checked, 10 tables")
        .endsWith(", public.log_10");
    assertThat(RangeJson.of(new RangeReport("r", asked, leftOut), java.util.Map.of()))
        .contains("log_1500", "log_11\"");
  }

  private static List<String> lines(RangeReport report) {
    StringWriter text = new StringWriter();
    RangeText.print(report, new PrintWriter(text));
    return text.toString().lines().toList();
  }

  private static RangeResult skipped(String table, String reason, String detail) {
    return RangeResult.unread(
        Claim.whole(new TableId("public", table)),
        RangeOutcome.SKIPPED,
        Optional.of(reason),
        Optional.of(detail),
        Duration.ZERO);
  }
}
