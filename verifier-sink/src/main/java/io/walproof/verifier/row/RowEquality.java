package io.walproof.verifier.row;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Row equality, rules version 1: the one table of which types are compared and how. The planner
 * decides by it, the README shows it, and the tests take their expectations from it.
 */
final class RowEquality {

  private static final String SYSTEM = "pg_catalog";

  /**
   * Two values as SQL literals.
   *
   * @param type the type of both
   */
  record Example(String type, String one, String other) {}

  /** What in PostgreSQL says the same as the rule: the oracle of the tests. */
  enum Judge {
    OPERATOR("PostgreSQL's `=`"),
    TEXT("PostgreSQL's text");

    private final String label;

    Judge(String label) {
      this.label = label;
    }

    /** For people. */
    String label() {
      return label;
    }
  }

  /**
   * How values of one type are compared.
   *
   * @param types the built-in types by their internal names; none for a kind of types
   * @param label the types, for people
   * @param rule the rule
   * @param judge what says the same
   * @param meaning in words
   * @param equal two values that are printed differently and are equal
   * @param different two values that are not
   */
  record Same(
      Set<String> types,
      String label,
      ValueRule rule,
      Judge judge,
      String meaning,
      Example equal,
      Example different) {}

  /**
   * How values of two types are compared.
   *
   * @param source the source's types
   * @param target the target's types
   * @param sourceRule the rule for the source's value
   * @param targetRule the rule for the target's value
   * @param meaning in words
   */
  record Across(
      Set<TypeFamily> source,
      Set<TypeFamily> target,
      ValueRule sourceRule,
      ValueRule targetRule,
      String meaning) {}

  static final Same PARTS =
      new Same(
          Set.of(),
          "arrays, composites, ranges, multiranges",
          ValueRule.BY_PARTS,
          Judge.OPERATOR,
          "element by element, attribute by attribute, bound by bound, by these rules; dimensions,"
              + " lower bounds, order and inclusive bounds count",
          new Example("numrange", "[1.0,)", "[1.00,)"),
          new Example("int4[]", "{1}", "[0:0]={1}"));

  static final Same OTHERS =
      new Same(
          Set.of(),
          "every other type",
          ValueRule.EXACT_TEXT,
          Judge.TEXT,
          "as PostgreSQL prints it, to the last byte",
          new Example("timestamptz", "2026-01-01 00:00+00", "2026-01-01 09:00+09"),
          new Example("interval", "1 mon", "30 days"));

  /** Types with a rule of their own. */
  static final List<Same> SAME =
      List.of(
          new Same(
              Set.of("numeric"),
              "numeric",
              ValueRule.NUMERIC_BY_VALUE,
              Judge.OPERATOR,
              "by value, whatever the scale; NaN is NaN",
              new Example("numeric", "1.0", "1.00"),
              new Example("numeric", "1.0", "1.01")),
          new Same(
              Set.of("float4", "float8"),
              "real, double precision",
              ValueRule.FLOAT_SIGNLESS_ZERO,
              Judge.OPERATOR,
              "every digit counts; -0 is 0, NaN is NaN",
              new Example("float8", "-0", "0"),
              new Example("float8", "1", "1.0000000000000002")),
          new Same(
              Set.of("bpchar"),
              "char(n)",
              ValueRule.CHAR_WITHOUT_PADDING,
              Judge.OPERATOR,
              "without the blanks at the end",
              new Example("bpchar", "a", "a  "),
              new Example("bpchar", "a", " a")),
          new Same(
              Set.of("money"),
              "money",
              ValueRule.MONEY_AS_NUMERIC,
              Judge.OPERATOR,
              "as numeric with two decimals; not compared where lc_monetary gives the databases' money different numbers of decimals",
              new Example("money", "1.5", "1.50"),
              new Example("money", "1.50", "1.51")),
          new Same(
              Set.of("bytea"),
              "bytea",
              ValueRule.BYTEA_BYTES,
              Judge.OPERATOR,
              "its bytes",
              new Example("bytea", "a", "\\x61"),
              new Example("bytea", "\\x00", "\\x")),
          new Same(
              Set.of("regproc"),
              "regproc",
              ValueRule.FUNCTION_SIGNATURE,
              Judge.OPERATOR,
              "the function's name and arguments",
              new Example("regproc", "now", "pg_catalog.now"),
              new Example("regproc", "now", "timeofday")),
          new Same(
              Set.of("regoper"),
              "regoper",
              ValueRule.OPERATOR_SIGNATURE,
              Judge.OPERATOR,
              "the operator's name and arguments",
              new Example("regoper", "|/", "pg_catalog.|/"),
              new Example("regoper", "|/", "||/")));

  /**
   * Pairs that PostgreSQL's {@code =} calls equal and that differ here: it is no proof for them.
   */
  static final List<Example> STRICTER =
      List.of(
          new Example("interval", "1 mon", "30 days"),
          new Example("jsonb", "{\"a\": 1.0}", "{\"a\": 1.00}"),
          new Example("public.citext", "a", "A"),
          new Example("tsquery", "a:A", "a:B"));

  private static final Set<TypeFamily> EXACT_NUMBERS =
      EnumSet.of(TypeFamily.INTEGER, TypeFamily.NUMERIC);

  /** Pairs of different types that are compared. */
  static final List<Across> ACROSS =
      List.of(
          new Across(
              EXACT_NUMBERS,
              EXACT_NUMBERS,
              ValueRule.NUMERIC_BY_VALUE,
              ValueRule.NUMERIC_BY_VALUE,
              "by value: a fraction that was rounded differs"),
          new Across(
              EnumSet.of(TypeFamily.MONEY),
              EXACT_NUMBERS,
              ValueRule.MONEY_AS_NUMERIC,
              ValueRule.NUMERIC_BY_VALUE,
              "by value"),
          new Across(
              EXACT_NUMBERS,
              EnumSet.of(TypeFamily.MONEY),
              ValueRule.NUMERIC_BY_VALUE,
              ValueRule.MONEY_AS_NUMERIC,
              "by value"),
          new Across(
              EnumSet.of(TypeFamily.TEXT),
              EnumSet.of(TypeFamily.TEXT),
              ValueRule.EXACT_TEXT,
              ValueRule.EXACT_TEXT,
              "to the last byte: what was cut off differs"),
          new Across(
              EnumSet.of(TypeFamily.CHAR),
              EnumSet.of(TypeFamily.TEXT),
              ValueRule.CHAR_WITHOUT_PADDING,
              ValueRule.CHAR_WITHOUT_PADDING,
              "without blanks at the end on either side: a copy may keep the padding or not"),
          new Across(
              EnumSet.of(TypeFamily.TEXT),
              EnumSet.of(TypeFamily.CHAR),
              ValueRule.EXACT_TEXT,
              ValueRule.CHAR_WITHOUT_PADDING,
              "a blank at the end of the source's text differs: char(n) cannot hold it"),
          new Across(
              EnumSet.of(TypeFamily.JSON, TypeFamily.JSONB),
              EnumSet.of(TypeFamily.JSON, TypeFamily.JSONB),
              ValueRule.JSON_AS_JSONB,
              ValueRule.JSON_AS_JSONB,
              "both as jsonb prints them: white space, order and repeated keys do not count"),
          new Across(
              EnumSet.of(TypeFamily.ENUM),
              EnumSet.of(TypeFamily.ENUM, TypeFamily.TEXT),
              ValueRule.EXACT_TEXT,
              ValueRule.EXACT_TEXT,
              "by label"),
          new Across(
              EnumSet.of(TypeFamily.TEXT),
              EnumSet.of(TypeFamily.ENUM),
              ValueRule.EXACT_TEXT,
              ValueRule.EXACT_TEXT,
              "by label"),
          new Across(
              EnumSet.of(TypeFamily.UUID),
              EnumSet.of(TypeFamily.TEXT),
              ValueRule.EXACT_TEXT,
              ValueRule.EXACT_TEXT,
              "the target's text is the uuid as PostgreSQL prints it"),
          new Across(
              EnumSet.of(TypeFamily.TEXT),
              EnumSet.of(TypeFamily.UUID),
              ValueRule.TEXT_AS_UUID,
              ValueRule.EXACT_TEXT,
              "the source's text read as uuid; text that is none cannot be compared"),
          new Across(
              EnumSet.of(TypeFamily.BITS),
              EnumSet.of(TypeFamily.BITS),
              ValueRule.EXACT_TEXT,
              ValueRule.EXACT_TEXT,
              "bit by bit, and the length counts"));

  /**
   * Rules that {@code verify.column.rules} may give, and the types on either side that they take.
   */
  static final Map<ValueRule, Set<TypeFamily>> BY_SETTING =
      Map.of(
          ValueRule.EXACT_TEXT, EnumSet.allOf(TypeFamily.class),
          ValueRule.NUMERIC_BY_VALUE, EXACT_NUMBERS,
          ValueRule.CHAR_WITHOUT_PADDING, EnumSet.of(TypeFamily.TEXT, TypeFamily.CHAR),
          ValueRule.JSON_AS_JSONB, EnumSet.of(TypeFamily.JSON, TypeFamily.JSONB, TypeFamily.TEXT),
          ValueRule.TEXT_AS_UUID, EnumSet.of(TypeFamily.TEXT, TypeFamily.CHAR, TypeFamily.UUID),
          ValueRule.TIMESTAMP_IN_UTC, EnumSet.of(TypeFamily.TIMESTAMP, TypeFamily.TIMESTAMPTZ));

  private RowEquality() {}

  /** The rule for two values of one type that has no parts. */
  static ValueRule same(TypeName type) {
    return SAME.stream()
        .filter(row -> type.schema().equals(SYSTEM) && row.types().contains(type.name()))
        .map(Same::rule)
        .findFirst()
        .orElse(OTHERS.rule());
  }

  /** How these two types are compared, if they are. */
  static Optional<Across> across(ColumnType source, ColumnType target) {
    Optional<TypeFamily> from = TypeFamily.of(source);
    Optional<TypeFamily> to = TypeFamily.of(target);
    if (from.isEmpty() || to.isEmpty()) {
      return Optional.empty();
    }
    return ACROSS.stream()
        .filter(row -> row.source().contains(from.get()) && row.target().contains(to.get()))
        .findFirst();
  }
}
