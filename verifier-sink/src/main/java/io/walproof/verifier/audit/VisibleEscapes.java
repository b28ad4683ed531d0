package io.walproof.verifier.audit;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.util.Locale;

/**
 * Escapes what JSON would let through and a terminal or an editor would act on: control and format
 * characters (also right-to-left marks and zero-width ones), line and paragraph separators, private
 * use and surrogates. Names and keys come from the databases, so they may hold any of these.
 * Letters of any script stay as they are, so that the file can be searched.
 */
final class VisibleEscapes extends CharacterEscapes {

  private static final long serialVersionUID = 1L;

  private static final int DELETE = 0x7F;

  private final int[] ascii = standardAsciiEscapesForJSON();

  VisibleEscapes() {
    ascii[DELETE] = ESCAPE_STANDARD;
  }

  @Override
  public int[] getEscapeCodesForAscii() {
    return ascii.clone();
  }

  @Override
  public SerializableString getEscapeSequence(int ch) {
    return switch (Character.getType(ch)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.SURROGATE ->
          new SerializedString(String.format(Locale.ROOT, "\\u%04X", ch));
      default -> null;
    };
  }
}
