package io.walproof.connector.offset;

import io.walproof.contract.Lsn;
import java.util.ArrayList;
import java.util.List;

/**
 * The timelines that a server's WAL went through: each promotion of a standby begins a new one, and
 * everything before the switch is shared with the old one. Immutable.
 *
 * @param ancestors the timelines that were left, oldest first, each with the LSN where it was left;
 *     the oldest may be missing
 * @param current the timeline in use
 */
public record TimelineHistory(List<Switch> ancestors, long current) {

  /** Of two histories without a difference: all WAL that either has had so far. */
  public static final Lsn EVERYTHING = new Lsn(-1);

  /** A position carries so many ancestors at most; older ones decide nothing in practice. */
  private static final int MOST_ANCESTORS = 100;

  /**
   * One timeline's end.
   *
   * @param timeline its number
   * @param at where the next one began
   */
  public record Switch(long timeline, Lsn at) {}

  /** Keeps the newest ancestors; refuses numbers that do not grow. */
  public TimelineHistory {
    ancestors =
        List.copyOf(
            ancestors.subList(Math.max(0, ancestors.size() - MOST_ANCESTORS), ancestors.size()));
    long last = 0;
    for (Switch ancestor : ancestors) {
      if (ancestor.timeline() <= last) {
        throw new IllegalArgumentException("the numbers of timelines grow");
      }
      last = ancestor.timeline();
    }
    if (current <= last) {
      throw new IllegalArgumentException("the current timeline is the newest");
    }
  }

  /**
   * Reads what a server answers.
   *
   * @param timeline the timeline that the server is on
   * @param file its history file: a line for each ancestor with its number and its end
   * @throws IllegalArgumentException if it is none
   */
  public static TimelineHistory ofFile(long timeline, String file) {
    List<Switch> ancestors = new ArrayList<>();
    for (String line : file.split("\n", -1)) {
      String entry = line.strip();
      if (!entry.isEmpty() && !entry.startsWith("#")) {
        String[] fields = entry.split("\\s+", 3);
        if (fields.length < 2) {
          throw new IllegalArgumentException("a timeline's history has a line without an LSN");
        }
        ancestors.add(new Switch(Long.parseLong(fields[0]), Lsn.parse(fields[1])));
      }
    }
    return new TimelineHistory(ancestors, timeline);
  }

  /**
   * Reads {@link #toString()}'s form.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static TimelineHistory parse(String text) {
    String[] parts = text.split(",", -1);
    String ancestors = String.join("\n", List.of(parts).subList(0, parts.length - 1));
    return ofFile(Long.parseLong(parts[parts.length - 1]), ancestors);
  }

  /**
   * Up to where the WAL of two histories is the same. Where the older ancestors of one are not
   * known, they are taken to be the other's.
   *
   * @return {@link #EVERYTHING} if both are on the same timeline; {@link Lsn#NONE} if nothing is
   *     known to be shared
   */
  public Lsn sharedWith(TimelineHistory other) {
    long first = Math.max(oldest(), other.oldest());
    List<Switch> mine = from(first);
    List<Switch> theirs = other.from(first);
    Lsn shared = Lsn.NONE;
    for (int i = 0; i < Math.min(mine.size(), theirs.size()); i++) {
      if (mine.get(i).timeline() != theirs.get(i).timeline()) {
        return shared;
      }
      Lsn here = mine.get(i).at();
      Lsn there = theirs.get(i).at();
      if (!here.equals(there)) {
        return here.compareTo(there) < 0 ? here : there;
      }
      shared = here;
    }
    return shared;
  }

  private long oldest() {
    return ancestors.isEmpty() ? current : ancestors.get(0).timeline();
  }

  /** The timelines from one number on, the current one with an end that is not reached. */
  private List<Switch> from(long first) {
    List<Switch> all = new ArrayList<>(ancestors);
    all.add(new Switch(current, EVERYTHING));
    all.removeIf(each -> each.timeline() < first);
    return all;
  }

  /** Each ancestor's number and end with a space between, then the current number; by commas. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Switch ancestor : ancestors) {
      text.append(ancestor.timeline()).append(' ').append(ancestor.at()).append(',');
    }
    return text.append(current).toString();
  }
}
