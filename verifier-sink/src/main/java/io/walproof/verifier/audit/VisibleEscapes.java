package io.walproof.verifier.audit;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;

/**
 * Escapes what JSON alone would let through and a terminal would act on ({@link VisibleText}).
 * Names and keys come from the databases, so they may hold any of it; the rest stays as it is, so
 * that the file can be searched.
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
    return VisibleText.acts(ch) ? new SerializedString(VisibleText.escape(ch)) : null;
  }
}
