package io.walproof.standalone.status;

import io.walproof.contract.RowKey;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Collectors;

/** How the page says things. */
final class Words {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Words() {}

  static String badge(Health health) {
    return switch (health) {
      case FAILING -> "Failing";
      case INCOMPLETE -> "Incomplete";
      case PENDING -> "Checking";
      case NO_EVIDENCE -> "No evidence";
      case CLEAN -> "Clean";
    };
  }

  /** A shape besides the colour. */
  static String icon(Health health) {
    String drawing =
        switch (health) {
          case FAILING -> "<path d=\"M4 4 16 16M16 4 4 16\"/>";
          case INCOMPLETE -> "<path d=\"M10 3 18 17H2ZM10 8v4M10 14.4v.2\"/>";
          case PENDING -> "<path d=\"M10 4v6l4 3\"/><circle cx=\"10\" cy=\"10\" r=\"8\"/>";
          case NO_EVIDENCE -> "<path d=\"M6 10h8\"/><circle cx=\"10\" cy=\"10\" r=\"8\"/>";
          case CLEAN -> "<path d=\"M3 11 8 16 17 4\"/>";
        };
    return "<svg class=\"icon\" viewBox=\"0 0 20 20\" aria-hidden=\"true\" focusable=\"false\">"
        + drawing
        + "</svg>";
  }

  static String headline(Status status) {
    return switch (status.health()) {
      case FAILING -> failing(status);
      case INCOMPLETE -> "Not everything could be judged";
      case PENDING -> "Nothing wrong so far, checks are under way";
      case NO_EVIDENCE -> "Nothing was checked yet";
      case CLEAN -> "Everything that was checked is equal";
    };
  }

  private static String failing(Status status) {
    long all = status.openInAll();
    if (all == 0) {
      return "A range check has failed";
    }
    String rows = number(all) + (all == 1 ? " row" : " rows");
    return status.openFailures() > 0
        ? rows + (all == 1 ? " is" : " are") + " wrong on the target"
        : rows + " of earlier runs " + (all == 1 ? "is" : "are") + " wrong, not known to be mended";
  }

  /** What an outcome means, for those who meet it at night. */
  static String meaning(Failure failure) {
    return switch (failure.outcome()) {
      case "unresolved_missing" ->
          "The source has had this row all along, replay is confirmed, and the target has none: the"
              + " pipeline lost it.";
      case "unresolved_different" ->
          "Replay is confirmed, the source row did not change, and the target's differs: the"
              + " pipeline, or somebody else, wrote something wrong.";
      case "unresolved_target_stalled" ->
          "Replay is confirmed past the source's change, and the target's row has not moved, or has"
              + " gone: the pipeline lost the change.";
      case "unresolved_stale" ->
          "Replay is confirmed, the source row kept changing, and the target holds a version from"
              + " before: the pipeline went back, or lost the newer ones.";
      default -> "Not judged: neither equal nor wrong. Remove the reason.";
    };
  }

  static String outcome(String outcome) {
    return outcome.replace("unresolved_", "").replace('_', ' ');
  }

  static String key(RowKey key) {
    return key.columns().stream()
        .map(column -> column.name() + " = " + column.text())
        .collect(Collectors.joining(", "));
  }

  /** Of a list that is cut. */
  static String cut(long shown, long leftOut, String what) {
    return "Shown: " + number(shown) + " of " + number(shown + leftOut) + " " + what;
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** In UTC, to the second. */
  static String time(Instant at) {
    return TIME.format(at) + " UTC";
  }

  /** Two units at most. */
  static String duration(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    if (seconds < 1) {
      return Math.max(0, duration.toMillis()) + " ms";
    }
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3600) {
      return seconds / 60 + " min" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + " s");
    }
    long hours = seconds / 3600;
    if (hours < 48) {
      return hours + " h" + (seconds % 3600 < 60 ? "" : " " + seconds % 3600 / 60 + " min");
    }
    return duration.toDays() + " days";
  }

  static String ago(Duration since) {
    return since.toSeconds() < 1 ? "just now" : duration(since) + " ago";
  }

  static String bytes(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
  }

  /** Never rounded up to the whole. */
  static String percent(long part, long whole) {
    return whole == 0
        ? "–"
        : String.format(Locale.ROOT, "%.1f %%", Math.floor(1000.0 * part / whole) / 10);
  }
}
