package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Row digests, version 1, and the canonical bytes that they are made of. */
class RowDigestTest {

  private static final BigInteger TWO_TO_128 = BigInteger.ONE.shiftLeft(128);

  /** By the definition: a sum modulo 2 to the 128th. */
  @Test
  void isTheSumOfTheHashes() {
    Random random = new Random(1);
    BigInteger sum = BigInteger.ZERO;
    RowDigest digest = RowDigest.EMPTY;
    for (int i = 0; i < 1_000; i++) {
      long high = random.nextLong();
      long low = random.nextLong();
      digest = digest.plus(high, low);
      sum = sum.add(unsigned(high).shiftLeft(64)).add(unsigned(low)).mod(TWO_TO_128);
    }
    assertThat(digest.rows()).isEqualTo(1_000);
    assertThat(unsigned(digest.high()).shiftLeft(64).add(unsigned(digest.low()))).isEqualTo(sum);
  }

  private static BigInteger unsigned(long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }

  /** V6: the same change twice does not cancel. */
  @Test
  void doesNotCancel() {
    RowDigest twice = RowDigest.EMPTY.plus(5, 7).plus(5, 7);
    assertThat(twice).isNotEqualTo(RowDigest.EMPTY.plus(9, 1).plus(9, 1));
    assertThat(twice).hasToString("2:000000000000000a000000000000000e");
  }

  /** The golden vector of version 1: rows as COPY writes them, and their digest. */
  @Test
  void goldenVector() throws SQLException {
    RowsChunk chunk =
        chunk(
            RangeAccess.Content.LINES,
            List.of("amount", "id", "note"),
            List.of(ValueRule.NUMERIC_BY_VALUE, ValueRule.EXACT_TEXT, ValueRule.EXACT_TEXT),
            "1.50\t1\ta\\tb\n",
            "-0.0\t2\t\\N\n",
            "100\t3\t\\\\N\n",
            "\\N\t4\t\n");
    assertThat(chunk.digest()).hasToString("4:98e7ee6ee2bdaaa99efb1dd4d6086858");
    assertThat(chunk.keyTexts(2)).containsExactly("3");
  }

  /** Equal values have equal lines, whatever their text; others have not. */
  @Test
  void linesAreCanonical() throws SQLException {
    assertThat(line("1.50\t-0\tab  \tx\n")).isEqualTo(line("1.5\t0\tab\tx\n"));
    assertThat(line("-0.00\t-0\t   \t\\N\n")).isEqualTo(line("0\t0\t\t\\N\n"));
    assertThat(line("100\tNaN\t\\N\t\n")).isNotEqualTo(line("1\tNaN\t\\N\t\n"));
    assertThat(line("\\N\t0\t\\N\t\n")).isNotEqualTo(line("\\N\t0\t\t\n"));
    assertThat(line("1\t0\ta\tb \n")).isNotEqualTo(line("1\t0\ta\tb\n"));
    assertThat(line("1.05\t0.10\ta\\\\  \tb\n")).isEqualTo(line("1.050\t0.10\ta\\\\\tb\n"));
  }

  private static RowDigest line(String row) throws SQLException {
    RowsChunk chunk = new RowsChunk(List.of("id"), true);
    new CopiedRows(
            RangeAccess.Content.LINES,
            List.of("a", "b", "c", "id"),
            forms(
                List.of(
                    ValueRule.NUMERIC_BY_VALUE,
                    ValueRule.FLOAT_SIGNLESS_ZERO,
                    ValueRule.CHAR_WITHOUT_PADDING,
                    ValueRule.EXACT_TEXT)),
            List.of(),
            chunk)
        .take(row.getBytes(StandardCharsets.UTF_8));
    return chunk.digest();
  }

  /** Wherever in a line, and whatever around it, a separator separates and nothing else does. */
  @Test
  void valuesOfAnyBytesComeApart() throws SQLException {
    Random random = new Random(7);
    String alphabet =
        "\t\n\\\u0001\b\u000b\u000c\r\u001f \\ \t.aZ\\\u007f\u0080\u00dc\u095c\ud83d\ude00";
    int[] symbols = alphabet.codePoints().toArray();
    for (int row = 0; row < 5_000; row++) {
      List<String> values = new ArrayList<>();
      StringBuilder line = new StringBuilder();
      for (int field = 0; field < 1 + random.nextInt(5); field++) {
        StringBuilder value = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
          value.appendCodePoint(
              random.nextInt(3) == 0 ? symbols[random.nextInt(symbols.length)] : 'x');
        }
        values.add(value.toString());
        line.append(field == 0 ? "" : "\t").append(escaped(value.toString()));
      }
      List<String> names = IntStream.range(0, values.size()).mapToObj(i -> "c" + i).toList();
      RowsChunk chunk = new RowsChunk(names, false);
      new CopiedRows(
              RangeAccess.Content.KEYS,
              names,
              Collections.nCopies(names.size(), new ValueForm.Plain(ValueRule.EXACT_TEXT)),
              IntStream.range(0, names.size()).boxed().toList(),
              chunk)
          .take(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
      assertThat(chunk.keyTexts(0)).isEqualTo(values);
    }
  }

  /** As PostgreSQL's documentation of COPY says. */
  private static String escaped(String value) {
    return value
        .replace("\\", "\\\\")
        .replace("\b", "\\b")
        .replace("\f", "\\f")
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t")
        .replace("\u000b", "\\v");
  }

  @Test
  void canonicalSlicesAreCanonicalBytes() {
    CanonicalSlice slice = new CanonicalSlice();
    List<String> texts =
        List.of(
            "",
            " ",
            "a ",
            " a  ",
            "0",
            "-0",
            "0.0",
            "-0.00",
            "1.500",
            "100",
            "1.",
            "-1.0",
            "10.010",
            "NaN",
            "Infinity",
            "-",
            "0.0001000");
    for (ValueRule rule : ValueRule.values()) {
      if (rule == ValueRule.BYTEA_BYTES) {
        continue;
      }
      for (String text : texts) {
        byte[] padded = ("xx" + text + "yy").getBytes(StandardCharsets.UTF_8);
        slice.of(rule, padded, 2, text.length());
        byte[] expected = rule.canonical(text.getBytes(StandardCharsets.UTF_8));
        byte[] found = new byte[slice.length()];
        System.arraycopy(slice.bytes(), slice.start(), found, 0, found.length);
        assertThat(found).as(rule + " of '" + text + "'").isEqualTo(expected);
      }
    }
  }

  private static RowsChunk chunk(
      RangeAccess.Content content, List<String> columns, List<ValueRule> rules, String... rows)
      throws SQLException {
    RowsChunk chunk = new RowsChunk(List.of("id"), true);
    CopiedRows copied = new CopiedRows(content, columns, forms(rules), List.of(1), chunk);
    for (String row : rows) {
      copied.take(row.getBytes(StandardCharsets.UTF_8));
    }
    return chunk;
  }

  private static List<ValueForm> forms(List<ValueRule> rules) {
    return rules.stream().<ValueForm>map(ValueForm.Plain::new).toList();
  }
}
