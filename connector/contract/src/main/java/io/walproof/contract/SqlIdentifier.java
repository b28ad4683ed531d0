package io.walproof.contract;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** PostgreSQL identifiers as SQL text. */
public final class SqlIdentifier {

  /** What PostgreSQL reads back unchanged without quotes, keywords aside. */
  private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]*");

  private SqlIdentifier() {}

  /** The identifier in double quotes, safe in any SQL statement. */
  public static String quoted(String name) {
    Objects.requireNonNull(name, "name");
    if (name.isEmpty() || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a PostgreSQL identifier is neither empty nor holds NUL");
    }
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /**
   * The identifier as people write it: bare where that is unambiguous, quoted otherwise. Keywords
   * are quoted by the reserved list of PostgreSQL 18; this form is for display and for map keys,
   * statements always use {@link #quoted(String)}.
   */
  public static String display(String name) {
    if (PLAIN.matcher(name).matches() && !SqlKeywords.isReserved(name.toUpperCase(Locale.ROOT))) {
      return name;
    }
    return quoted(name);
  }

  /** Identifiers as people write them, in the order given, with commas between. */
  public static String list(Collection<String> names) {
    return names.stream().map(SqlIdentifier::display).collect(Collectors.joining(", "));
  }

  /** At separators outside double quotes, without blanks around; nothing for a blank text. */
  public static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    if (text.isBlank()) {
      return parts;
    }
    boolean quoted = false;
    int from = 0;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      quoted ^= c == '"';
      if (c == separator && !quoted) {
        parts.add(text.substring(from, at).strip());
        from = at + 1;
      }
    }
    parts.add(text.substring(from).strip());
    return parts;
  }
}
