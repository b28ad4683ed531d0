package io.walproof.verifier.audit;

import java.util.Locale;

/**
 * Text from the databases, made safe to print: what a terminal or an editor would act on instead of
 * showing it (control and format characters, also right-to-left marks and zero-width ones, line and
 * paragraph separators, private use, lone halves of characters) becomes its escape.
 */
public final class VisibleText {

  private VisibleText() {}

  /** The text with such characters as {@code \}{@code uXXXX}; letters of any script stay. */
  public static String of(String text) {
    StringBuilder visible = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (acts(c)) {
        visible.append(escape(c));
      } else {
        visible.append(c);
      }
    }
    return visible.toString();
  }

  static boolean acts(int ch) {
    return switch (Character.getType(ch)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }

  static String escape(int ch) {
    return String.format(Locale.ROOT, "\\u%04X", ch);
  }
}
