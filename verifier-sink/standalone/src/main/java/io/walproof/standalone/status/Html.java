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
