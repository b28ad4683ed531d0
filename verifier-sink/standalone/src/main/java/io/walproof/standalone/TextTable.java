package io.walproof.standalone;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Columns of text, each as wide as its widest cell. */
final class TextTable {

  private final List<String[]> rows = new ArrayList<>();

  TextTable(String... headings) {
    rows.add(headings.clone());
  }

  void row(String... cells) {
    if (cells.length != rows.get(0).length) {
      throw new IllegalArgumentException("a row needs " + rows.get(0).length + " cells");
    }
    rows.add(cells.clone());
  }

  void print(PrintWriter out) {
    int[] widths = new int[rows.get(0).length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
