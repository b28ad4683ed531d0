package io.walproof.contract;

import java.util.Collection;
import java.util.Optional;

/** Finds what a misspelt key was probably meant to be. */
public final class ClosestName {

  private ClosestName() {}

  /** The nearest name, if it is near enough to be a misspelling and not another word. */
  public static Optional<String> to(String key, Collection<String> names) {
    int nearEnough = Math.max(2, key.length() / 4);
    String closest = null;
    int least = nearEnough + 1;
    for (String name : names) {
      int distance = distance(key, name);
      if (distance < least
          || (distance == least && closest != null && name.compareTo(closest) < 0)) {
        closest = name;
        least = distance;
      }
    }
    return Optional.ofNullable(closest);
  }

  /** Insertions, deletions, replacements and swaps of neighbours. */
  static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int replace = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        d[i][j] = Math.min(replace, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
