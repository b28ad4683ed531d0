package io.walproof.standalone;

import io.walproof.verifier.range.RangeCheck;
import java.util.Locale;

/** Rows a second since the last look, and how long the rest may take. */
final class RangeRate {
  private RangeCheck.Status last;
  private long lastAt;

  String figures(RangeCheck.Status status, long now) {
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
        "table %d of %d, %s: %,d rows%s, %,d chunks equal, %,d differing%s",
        status.number(),
        status.of(),
        status.table(),
        rows,
        status.estimatedRows() > 0
            ? String.format(Locale.ROOT, " of about %,d", status.estimatedRows())
            : "",
        status.progress().chunksEqual(),
        status.progress().chunksDiffering(),
        rate);
  }
}
