package io.walproof.standalone;

import io.walproof.standalone.run.UndecidedRows;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.range.RangeStage;
import java.util.Locale;

/** Rows a second since the last look, and how long the rest may take; or what is waited for. */
final class RangeRate {
  private RangeCheck.Status last;
  private long lastAt;

  String figures(RangeCheck.Status status, UndecidedRows undecided, long now) {
    return status.allRead() ? waiting(status, undecided) : reading(status, undecided, now);
  }

  private static String waiting(RangeCheck.Status status, UndecidedRows undecided) {
    String held = onHold(undecided);
    int rechecked = undecided.all() - undecided.onHold();
    return String.format(
        Locale.ROOT,
        "%d of %d tables read, %,d rows differ and are not decided%s%s",
        status.number(),
        status.of(),
        undecided.all(),
        held,
        rechecked > 0
            ? String.format(
                Locale.ROOT,
                "%s %,d being read, or waiting for replay (verify.replay.timeout.ms)",
                held.isEmpty() ? ":" : ",",
                rechecked)
            : "");
  }

  /** Nothing where nothing is on hold. */
  private static String onHold(UndecidedRows undecided) {
    return undecided
        .untilRecheck()
        .map(
            left ->
                String.format(
                    Locale.ROOT,
                    ": %,d on hold, the first for %,d s more (verify.recheck.delay.ms)",
                    undecided.onHold(),
                    left.plusMillis(999).toSeconds()))
        .orElse("");
  }

  private String reading(RangeCheck.Status status, UndecidedRows undecided, long now) {
    long rows = status.progress().rows();
    String rate = "";
    if (last != null && last.number() == status.number() && now > lastAt) {
      double perSecond = (rows - last.progress().rows()) / ((now - lastAt) / 1e9);
      rate = String.format(Locale.ROOT, ", %,.0f rows/s", perSecond);
      long left = status.estimatedRows() - rows;
      if (status.estimatedRows() > 0 && perSecond > 0 && left > 0) {
        rate += String.format(Locale.ROOT, ", about %,.0f s left", left / perSecond);
      }
    }
    last = status;
    lastAt = now;
    return String.format(
        Locale.ROOT,
        "table %d of %d, %s: %,d rows%s, %,d chunks equal, %,d differing%s%s%s",
        status.number(),
        status.of(),
        status.table(),
        rows,
        status.estimatedRows() > 0
            ? String.format(Locale.ROOT, " of about %,d", status.estimatedRows())
            : "",
        status.progress().chunksEqual(),
        status.progress().chunksDiffering(),
        rate,
        undecided.all() > 0
            ? String.format(Locale.ROOT, ", %,d rows differ so far", undecided.all())
            : "",
        status.stage() == RangeStage.READING ? "" : ", " + status.stage().sentence());
  }
}
