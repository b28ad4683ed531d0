package io.walproof.verifier.row;

import java.util.Optional;
import java.util.Set;

/**
 * The rules for one column's two sides. Types that differ are compared only where this list allows
 * it; domains count as their base type, user types match by qualified name.
 *
 * @param source the rule for the source's value
 * @param target the rule for the target's value
 */
record RulePair(ValueRule source, ValueRule target) {

  private static final Set<String> EXACT_NUMBERS = Set.of("int2", "int4", "int8", "numeric");

  static Optional<RulePair> of(CatalogColumn source, CatalogColumn target) {
    TypeName from = source.type();
    TypeName to = target.type();
    if (from.equals(to)) {
      return Optional.of(both(sameType(from)));
    }
    if (isNumber(from) && isNumber(to)) {
      return Optional.of(new RulePair(number(from), number(to)));
    }
    if (isJson(from) && isJson(to)) {
      return Optional.of(both(ValueRule.JSON_AS_JSONB));
    }
    if (from.is("bpchar") && isText(to)) {
      // The copy may have kept the padding or not; neither changes the value.
      return Optional.of(both(ValueRule.CHAR_WITHOUT_PADDING));
    }
    if (isText(from) && to.is("bpchar")) {
      // A blank at the end of a text is data, which char(n) cannot hold.
      return Optional.of(new RulePair(ValueRule.EXACT_TEXT, ValueRule.CHAR_WITHOUT_PADDING));
    }
    if ((isText(from) && isText(to)) || isLabel(source, target)) {
      return Optional.of(both(ValueRule.EXACT_TEXT));
    }
    return Optional.empty();
  }

  /** The name for reports. */
  String text() {
    return source == target ? source.text() : source.text() + " to " + target.text();
  }

  /**
   * Whether a source key's text, cast to the target's type, finds the target's row: not where the
   * padding of char(n) would have to be guessed.
   */
  boolean fitsKey(CatalogColumn from, CatalogColumn to) {
    return from.type().is("bpchar") == to.type().is("bpchar");
  }

  private static RulePair both(ValueRule rule) {
    return new RulePair(rule, rule);
  }

  private static ValueRule sameType(TypeName type) {
    if (!type.builtIn()) {
      return ValueRule.EXACT_TEXT;
    }
    return switch (type.name()) {
      case "numeric" -> ValueRule.NUMERIC_BY_VALUE;
      case "float4", "float8" -> ValueRule.FLOAT_SIGNLESS_ZERO;
      case "bpchar" -> ValueRule.CHAR_WITHOUT_PADDING;
      case "money" -> ValueRule.MONEY_AS_NUMERIC;
      case "bytea" -> ValueRule.BYTEA_BYTES;
      default -> ValueRule.EXACT_TEXT;
    };
  }

  private static boolean isNumber(TypeName type) {
    return type.builtIn() && (EXACT_NUMBERS.contains(type.name()) || type.name().equals("money"));
  }

  private static ValueRule number(TypeName type) {
    return type.is("money") ? ValueRule.MONEY_AS_NUMERIC : ValueRule.NUMERIC_BY_VALUE;
  }

  private static boolean isJson(TypeName type) {
    return type.is("json") || type.is("jsonb");
  }

  /** citext is an extension's type and may live in any schema; its text is compared exactly. */
  private static boolean isText(TypeName type) {
    return type.is("text") || type.is("varchar") || type.is("name") || type.name().equals("citext");
  }

  /** An enum is its label: compared with text, or with an enum of another name. */
  private static boolean isLabel(CatalogColumn source, CatalogColumn target) {
    boolean from = source.typeKind() == 'e';
    boolean to = target.typeKind() == 'e';
    return (from && (to || isText(target.type()))) || (to && isText(source.type()));
  }
}
