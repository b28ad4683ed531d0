package io.walproof.standalone.docs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Tables and cells in Markdown, with what would be markup made harmless. */
final class Markdown {

  private Markdown() {}

  static String text(String plain) {
    return plain.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("\n", " ");
  }

  static String code(String literal) {
    return literal.isEmpty() ? "" : '`' + literal.replace("|", "\\|") + '`';
  }

  /** Rows of cells that are Markdown already. */
  static String table(List<String> headings, Collection<List<String>> rows) {
    List<String> lines = new ArrayList<>();
    lines.add(line(headings));
    lines.add("|" + "---|".repeat(headings.size()));
    rows.forEach(row -> lines.add(line(row)));
    return String.join("\n", lines) + "\n\n";
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |";
  }
}
