package io.walproof.standalone.run;

import io.walproof.contract.TableId;
import java.util.regex.Pattern;

/**
 * Tables as somebody names them on the command line: one by its name, quoted where SQL needs it, or
 * several by a pattern, in which an asterisk outside of quotes stands for any characters of the
 * schema's or the table's name and a question mark for one.
 *
 * @param text as it was written
 */
public record TablePattern(String text) {

  /**
   * Refuses what is neither.
   *
   * @throws IllegalArgumentException saying what is expected
   */
  public TablePattern {
    if (!isPattern(text)) {
      TableId.parse(text);
    } else if (dot(text) < 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is no table pattern: expected schema.table, such as public.ord*");
    }
  }

  /** Whether it may name several tables. */
  public boolean isPattern() {
    return isPattern(text);
  }

  /** The one table. */
  public TableId table() {
    return TableId.parse(text);
  }

  /** Whether the pattern names the table. */
  public boolean matches(TableId table) {
    int dot = dot(text);
    return regex(text.substring(0, dot)).matcher(table.schema()).matches()
        && regex(text.substring(dot + 1)).matcher(table.name()).matches();
  }

  private static boolean isPattern(String text) {
    return outsideOfQuotes(text, c -> c == '*' || c == '?') >= 0;
  }

  private static int dot(String text) {
    return outsideOfQuotes(text, c -> c == '.');
  }

  @FunctionalInterface
  private interface Wanted {
    boolean is(char c);
  }

  private static int outsideOfQuotes(String text, Wanted wanted) {
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      quoted ^= c == '"';
      if (!quoted && wanted.is(c)) {
        return i;
      }
    }
    return -1;
  }

  private static Pattern regex(String part) {
    StringBuilder regex = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c == '"') {
        boolean doubled = quoted && i + 1 < part.length() && part.charAt(i + 1) == '"';
        if (doubled) {
          regex.append('"');
          i++;
        } else {
          quoted = !quoted;
        }
      } else if (quoted) {
        regex.append(Pattern.quote(String.valueOf(c)));
      } else if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else {
        char folded = c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
        regex.append(Pattern.quote(String.valueOf(folded)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
