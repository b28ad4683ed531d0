package io.walproof.verifier.row;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Random values of one type, in pairs that are equal, written otherwise, near, or unrelated. */
enum RandomValues {
  INTEGER("int4", RowEquality.Judge.TEXT, r -> Integer.toString(r.nextInt(5) - 2)),
  NUMERIC("numeric", RowEquality.Judge.OPERATOR, RandomValues::numeric),
  PRICE("public.price", RowEquality.Judge.OPERATOR, RandomValues::numeric),
  FLOAT8("float8", RowEquality.Judge.OPERATOR, RandomValues::real),
  FLOAT4("float4", RowEquality.Judge.OPERATOR, RandomValues::real),
  CHAR("char(6)", RowEquality.Judge.OPERATOR, r -> letters(r, 3) + " ".repeat(r.nextInt(3))),
  TEXT("text", RowEquality.Judge.TEXT, r -> letters(r, 4)),
  BYTEA("bytea", RowEquality.Judge.TEXT, r -> "\\x" + "0a5c00ff27".substring(0, 2 * r.nextInt(6))),
  JSONB(
      "jsonb",
      RowEquality.Judge.TEXT,
      r -> "{\"a\":" + r.nextInt(2) + (r.nextBoolean() ? ".0" : "") + ",\"b\":null}"),
  INTERVAL(
      "interval", RowEquality.Judge.TEXT, r -> r.nextInt(2) + " mon " + r.nextInt(32) + " day"),
  NUMERICS("numeric[]", RowEquality.Judge.OPERATOR, r -> array(r, RandomValues::numeric)),
  TEXTS("text[]", RowEquality.Judge.OPERATOR, r -> array(r, q -> letters(q, 2))),
  CHARS("bpchar[]", RowEquality.Judge.OPERATOR, r -> array(r, q -> letters(q, 2) + " ")),
  PAIR("public.pair", RowEquality.Judge.OPERATOR, RandomValues::composite),
  PAIRS("public.pair[]", RowEquality.Judge.OPERATOR, r -> array(r, RandomValues::composite)),
  RANGE("numrange", RowEquality.Judge.OPERATOR, RandomValues::range),
  RANGES("nummultirange", RowEquality.Judge.OPERATOR, r -> "{" + range(r) + "," + range(r) + "}");

  private final String type;
  private final RowEquality.Judge judge;

  @SuppressWarnings("ImmutableEnumChecker") // They keep no state.
  private final Function<Random, String> values;

  RandomValues(String type, RowEquality.Judge judge, Function<Random, String> values) {
    this.type = type;
    this.judge = judge;
    this.values = values;
  }

  /**
   * Two values; null is NULL.
   *
   * @param one the source's
   * @param other the target's
   */
  record Pair(String one, String other) {}

  String type() {
    return type;
  }

  RowEquality.Judge judge() {
    return judge;
  }

  /** Mostly equal, so that rows of several columns are now and then. */
  Pair pair(Random random) {
    long seed = random.nextLong();
    String one = value(new Random(seed));
    int kind = random.nextInt(10);
    if (kind < 6) {
      return new Pair(one, one);
    }
    // From few enough values that equal ones meet, written otherwise.
    return new Pair(one, value(random));
  }

  private String value(Random random) {
    return random.nextInt(12) == 0 ? null : values.apply(random);
  }

  private static String numeric(Random random) {
    return random.nextInt(15) == 0
        ? "NaN"
        : BigDecimal.valueOf(random.nextInt(7) - 3, random.nextInt(2))
            .setScale(1 + random.nextInt(3))
            .toPlainString();
  }

  private static String real(Random random) {
    return List.of("-0", "0", "NaN", "Infinity", "0.1", "0.10000000000000002", "1e-40")
        .get(random.nextInt(7));
  }

  private static String letters(Random random, int most) {
    String alphabet = "aA\"\\,{}()' \t\né\u0301N";
    return random
        .ints(random.nextInt(most + 1), 0, alphabet.length())
        .mapToObj(i -> alphabet.substring(i, i + 1))
        .collect(Collectors.joining());
  }

  private static String array(Random random, Function<Random, String> element) {
    List<String> elements = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      String text = random.nextInt(6) == 0 ? null : element.apply(random);
      elements.add(
          text == null ? "NULL" : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
    }
    String bounds =
        elements.isEmpty() || random.nextInt(4) > 0 ? "" : "[0:" + (elements.size() - 1) + "]=";
    return bounds + '{' + String.join(",", elements) + '}';
  }

  private static String composite(Random random) {
    List<String> attributes = new ArrayList<>();
    for (String text : new String[] {numeric(random), letters(random, 2), real(random)}) {
      attributes.add(
          random.nextInt(6) == 0
              ? ""
              : '"' + text.replace("\\", "\\\\").replace("\"", "\"\"") + '"');
    }
    return '(' + String.join(",", attributes) + ')';
  }

  private static String range(Random random) {
    BigDecimal from = BigDecimal.valueOf(random.nextInt(4), 0).setScale(random.nextInt(2));
    BigDecimal to = from.add(BigDecimal.valueOf(random.nextInt(3))).setScale(2);
    return (random.nextBoolean() ? "[" : "(")
        + (random.nextInt(6) == 0 ? "" : from.toPlainString())
        + ','
        + (random.nextInt(6) == 0 ? "" : to.toPlainString())
        + (random.nextBoolean() ? "]" : ")");
  }
}
