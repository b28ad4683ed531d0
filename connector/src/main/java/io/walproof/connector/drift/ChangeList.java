package io.walproof.connector.drift;

import io.walproof.contract.DriftEvent.ColumnChange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps an event's differences below what a topic takes by default (1 MiB), with room for the
 * record around them. Narrowing differences are listed first where not all fit.
 */
public final class ChangeList {

  /** Of the differences' texts in UTF-8, JSON's own characters included. */
  private static final int MAX_BYTES = 512 * 1024;

  /** Field names, quotes and commas of one difference in JSON. */
  private static final int FRAME = 90;

  private ChangeList() {}

  /** All of them if they fit. */
  public static List<ColumnChange> fitting(List<ColumnChange> all) {
    if (bytes(all) <= MAX_BYTES) {
      return all;
    }
    List<ColumnChange> ordered = new ArrayList<>(all.size());
    all.stream().filter(ColumnChange::narrowing).forEach(ordered::add);
    all.stream().filter(change -> !change.narrowing()).forEach(ordered::add);
    List<ColumnChange> kept = new ArrayList<>();
    long size = 0;
    for (ColumnChange change : ordered) {
      size += bytes(change);
      if (size > MAX_BYTES) {
        break;
      }
      kept.add(change);
    }
    return kept;
  }

  /** What to add to an event's sentence; empty if all differences are listed. */
  public static String leftOut(int listed, int all) {
    return listed == all
        ? ""
        : "; only "
            + listed
            + " of "
            + all
            + " differences are listed, so that the event fits into a record";
  }

  private static long bytes(List<ColumnChange> changes) {
    return changes.stream().mapToLong(ChangeList::bytes).sum();
  }

  /** JSON may write a character as six. */
  private static long bytes(ColumnChange change) {
    return FRAME + bytes(change.column()) + bytes(change.before()) + bytes(change.after());
  }

  private static long bytes(String text) {
    long escaped = text.chars().filter(c -> c < ' ' || c == '"' || c == '\\').count();
    return text.getBytes(StandardCharsets.UTF_8).length + 5 * escaped;
  }
}
