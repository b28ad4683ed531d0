package io.walproof.standalone;

import io.walproof.standalone.run.RunRanges;
import io.walproof.verifier.audit.VisibleText;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.schedule.RangeFigures;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** What a run says of the range checks that it does by itself; nothing if there are none. */
final class RunRangesText {

  private RunRangesText() {}

  /** For a line of progress. */
  static String figures(RunRanges ranges) {
    RangeFigures figures = ranges.figures();
    if (figures.ended() == 0 && ranges.unfinished() == 0) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        ", range checks: %,d unfinished, %,d ended, %,d rows, %,d failures",
        ranges.unfinished(),
        figures.ended(),
        figures.rows(),
        figures.failures());
  }

  /** Each table's last result. */
  static void print(RunRanges ranges, PrintWriter out) {
    List<RangeResult> last = ranges.figures().last();
    if (!last.isEmpty()) {
      out.println();
      out.println("range checks");
      RangeText.results(last, out);
    }
    if (ranges.unfinished() > 0) {
      out.println("range checks that had not begun: " + ranges.unfinished());
    }
    ranges.figures().allGivenUp().ifPresent(why -> out.println(VisibleText.of(why)));
  }
}
