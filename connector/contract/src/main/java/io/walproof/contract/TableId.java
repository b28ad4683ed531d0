package io.walproof.contract;

import java.util.Objects;

/**
 * A table by schema and name, exactly as the catalog spells them: no case folding, any character.
 *
 * @param schema the schema's name
 * @param name the table's name
 */
public record TableId(String schema, String name) implements Comparable<TableId> {

  /** Refuses what no catalog can hold. */
  public TableId {
    SqlIdentifier.quoted(schema);
    SqlIdentifier.quoted(name);
  }

  /** The name for SQL statements, always quoted: {@code "public"."orders"}. */
  public String sql() {
    return SqlIdentifier.quoted(schema) + '.' + SqlIdentifier.quoted(name);
  }

  /**
   * The name for people and for map keys, quoted only where SQL needs it: {@code public.orders},
   * {@code public."a.b"}. Injective, so two tables never share one.
   */
  public String display() {
    return SqlIdentifier.display(schema) + '.' + SqlIdentifier.display(name);
  }

  /**
   * Reads what {@link #display()} or a person wrote: two identifiers with a dot between, each bare
   * (folded to lower case as PostgreSQL does) or in double quotes.
   *
   * @throws IllegalArgumentException if the text is not such a name
   */
  public static TableId parse(String text) {
    Objects.requireNonNull(text, "text");
    Scanner scanner = new Scanner(text);
    String schema = scanner.identifier();
    scanner.dot();
    String name = scanner.identifier();
    scanner.end();
    return new TableId(schema, name);
  }

  @Override
  public int compareTo(TableId other) {
    int bySchema = schema.compareTo(other.schema);
    return bySchema != 0 ? bySchema : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return display();
  }

  private static final class Scanner {
    private final String text;
    private int at;

    Scanner(String text) {
      this.text = text;
    }

    String identifier() {
      return at < text.length() && text.charAt(at) == '"' ? quotedIdentifier() : bareIdentifier();
    }

    private String quotedIdentifier() {
      StringBuilder name = new StringBuilder();
      at++;
      while (at < text.length()) {
        char c = text.charAt(at++);
        if (c != '"') {
          name.append(c);
        } else if (at < text.length() && text.charAt(at) == '"') {
          name.append('"');
          at++;
        } else {
          return name.toString();
        }
      }
      throw malformed();
    }

    private String bareIdentifier() {
      int start = at;
      while (at < text.length() && text.charAt(at) != '.' && text.charAt(at) != '"') {
        at++;
      }
      if (at == start) {
        throw malformed();
      }
      return foldCase(text.substring(start, at));
    }

    /** PostgreSQL folds ASCII letters only, in every multibyte encoding. */
    private static String foldCase(String bare) {
      StringBuilder folded = new StringBuilder(bare.length());
      for (int i = 0; i < bare.length(); i++) {
        char c = bare.charAt(i);
        folded.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
      }
      return folded.toString();
    }

    void dot() {
      if (at >= text.length() || text.charAt(at) != '.') {
        throw malformed();
      }
      at++;
    }

    void end() {
      if (at != text.length()) {
        throw malformed();
      }
    }

    private IllegalArgumentException malformed() {
      return new IllegalArgumentException(
          "'"
              + text
              + "' is not a table name: expected schema.table, with double quotes around parts"
              + " that hold upper case letters, dots or other special characters");
    }
  }
}
