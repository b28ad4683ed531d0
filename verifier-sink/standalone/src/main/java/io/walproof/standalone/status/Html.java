package io.walproof.standalone.status;

import io.walproof.verifier.audit.VisibleText;

/**
 * Builds HTML. Everything that comes from outside goes through {@link #text}, which shows what a
 * browser would act on; only literals of this program go through {@link #raw}.
 */
final class Html {

  private final StringBuilder out = new StringBuilder(16 * 1024);

  /** Markup of our own. */
  Html raw(String markup) {
    out.append(markup);
    return this;
  }

  /** Text of any origin, also within a quoted attribute. */
  Html text(Object value) {
    out.append(escaped(String.valueOf(value)));
    return this;
  }

  /** An element around a text. */
  Html element(String name, Object text) {
    return raw("<" + name + ">").text(text).raw("</" + name + ">");
  }

  /** An element with a class around a text. */
  Html element(String name, String cssClass, Object text) {
    return raw("<" + name + " class=\"" + cssClass + "\">").text(text).raw("</" + name + ">");
  }

  /** A term and its description. */
  Html pair(String term, String description) {
    return raw("<div><dt>").text(term).raw("</dt><dd>").text(description).raw("</dd></div>");
  }

  /**
   * Opens a table up to its columns. Roles are said in full: a table that a narrow screen shows as
   * blocks would lose them.
   *
   * @param css its classes
   * @param caption its name, for those who do not see where it stands
   */
  Html table(String css, String caption) {
    return raw("<table class=\"" + css + "\" role=\"table\"><caption class=\"quiet-speech\">")
        .text(caption)
        .raw("</caption><thead role=\"rowgroup\"><tr role=\"row\">");
  }

  /** A column's heading. */
  Html column(String heading) {
    return column(heading, "");
  }

  /** The same with classes. */
  Html column(String heading, String css) {
    return raw("<th scope=\"col\" role=\"columnheader\"" + classes(css) + ">")
        .text(heading)
        .raw("</th>");
  }

  /** Behind the columns. */
  Html rows() {
    return raw("</tr></thead><tbody role=\"rowgroup\">");
  }

  /** Behind the rows, where a last one sums them up. */
  Html sum() {
    return raw("</tbody><tfoot role=\"rowgroup\">");
  }

  /** Opens a row, with its heading. */
  Html row(String css, String heading) {
    return raw("<tr role=\"row\"" + classes(css) + "><th scope=\"row\" role=\"rowheader\">")
        .text(heading)
        .raw("</th>");
  }

  /**
   * Opens a cell.
   *
   * @param label the column's heading, for where columns stand one below the other
   * @param css its classes
   */
  Html cell(String label, String css) {
    return raw("<td role=\"cell\" data-label=\"" + label + "\"" + classes(css) + ">");
  }

  private static String classes(String css) {
    return css.isEmpty() ? "" : " class=\"" + css + "\"";
  }

  /** Opens a box that scrolls sideways, which the keyboard reaches; no landmark of its own. */
  Html scroll(String name) {
    return raw("<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"")
        .text(name)
        .raw("\">");
  }

  @Override
  public String toString() {
    return out.toString();
  }

  static String escaped(String text) {
    String visible = VisibleText.of(text);
    StringBuilder escaped = new StringBuilder(visible.length());
    for (int i = 0; i < visible.length(); i++) {
      char c = visible.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
