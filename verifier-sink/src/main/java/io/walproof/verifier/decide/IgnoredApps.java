package io.walproof.verifier.decide;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads the list of application ids in {@code verify.ignore.apps}. */
public final class IgnoredApps {

  private static final Pattern POSITIVE = Pattern.compile("[1-9][0-9]{0,18}");

  private IgnoredApps() {}

  /**
   * Reads positive bigints with commas between, as {@code 7,42}. Blanks around the ids are dropped,
   * repeats count once, and an empty or blank text is the empty set.
   *
   * @return sorted, unmodifiable
   * @throws IllegalArgumentException if the text is anything else; the message names the entry by
   *     its place and the remedy, never the text
   */
  public static SortedSet<Long> parse(String text) {
    SortedSet<Long> ids = new TreeSet<>();
    if (!text.isBlank()) {
      String[] entries = text.split(",", -1);
      for (int i = 0; i < entries.length; i++) {
        ids.add(id(entries[i].strip(), i + 1, entries.length));
      }
    }
    return Collections.unmodifiableSortedSet(ids);
  }

  private static long id(String entry, int place, int of) {
    String where = "entry " + place + " of " + of;
    if (entry.isEmpty()) {
      throw new IllegalArgumentException(
          where + " is empty: remove the surplus comma; the form is 7,42");
    }
    if (!POSITIVE.matcher(entry).matches()) {
      throw new IllegalArgumentException(
          where + " is not a positive whole number: list application ids such as 7,42");
    }
    try {
      return Long.parseLong(entry);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          where + " does not fit a bigint: the largest id is " + Long.MAX_VALUE, e);
    }
  }
}
