package io.walproof.verifier.row;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * How one column's two sides are compared, by {@link RowEquality}. Domains count as their base
 * type; user types match by qualified name or, if they have parts, by those.
 *
 * @param source the form of the source's value
 * @param target the form of the target's value
 */
record RulePair(ValueForm source, ValueForm target) {

  /** Types whose equality, or whose reading of a text, is not that of the types beside them. */
  private static final List<String> KEYS_OF_THEIR_OWN = List.of("bpchar", "uuid", "name", "money");

  private static final RulePair EXACT = plain(ValueRule.EXACT_TEXT, ValueRule.EXACT_TEXT);

  /**
   * Empty if the two types are not compared.
   *
   * @param encodings whether the two databases have different ones
   */
  static Optional<RulePair> of(ColumnType source, ColumnType target, boolean encodings) {
    return isMade(source) || isMade(target)
        ? made(source, target, encodings)
        : whole(source, target, encodings);
  }

  /** The rule that a setting gives, on both sides; empty if it does not take these types. */
  static Optional<RulePair> given(
      ValueRule rule, ColumnType source, ColumnType target, boolean encodings) {
    if (rule == ValueRule.EXACT_TEXT) {
      return exact(source, target);
    }
    if (!takes(rule, source) || !takes(rule, target)) {
      return Optional.empty();
    }
    return Optional.of(
        encodings && rule == ValueRule.JSON_AS_JSONB
            ? members(rule, ValueForm.Sorted.JSON)
            : plain(rule, rule));
  }

  /** bytea is fetched as bytes, so its text is not at hand for another type's. */
  private static Optional<RulePair> exact(ColumnType source, ColumnType target) {
    boolean bytes = source.name().is("bytea");
    if (bytes != target.name().is("bytea")) {
      return Optional.empty();
    }
    return Optional.of(bytes ? plain(ValueRule.BYTEA_BYTES, ValueRule.BYTEA_BYTES) : EXACT);
  }

  private static boolean takes(ValueRule rule, ColumnType type) {
    return TypeFamily.of(type).filter(RowEquality.BY_SETTING.get(rule)::contains).isPresent();
  }

  /** The name for reports. */
  String text() {
    String from = source.rule().text();
    return source.rule() == target.rule() ? from : from + " to " + target.rule().text();
  }

  /**
   * Whether a source key's text, cast to the target's type, finds the target's row, and the text
   * that the rule makes of it finds the source's: not where the padding of char(n) or the writing
   * of a uuid would have to be guessed, and not where a name alone says too little. Nor where one
   * side takes keys for one that the other tells apart, as uuid, citext, name and money do beside
   * text and numeric: a second row of the target would pass for the first.
   */
  boolean fitsKey(CatalogColumn from, CatalogColumn to) {
    return KEYS_OF_THEIR_OWN.stream()
            .allMatch(type -> from.shape().holds(type) == to.shape().holds(type))
        && isCitext(from) == isCitext(to)
        && source.rule() != ValueRule.FUNCTION_SIGNATURE
        && source.rule() != ValueRule.OPERATOR_SIGNATURE;
  }

  private static boolean isCitext(CatalogColumn column) {
    return !column.type().builtIn() && column.type().name().equals("citext");
  }

  private static boolean isMade(ColumnType type) {
    return switch (type.kind()) {
      case SCALAR, ENUM -> false;
      case ARRAY, COMPOSITE, RANGE, MULTIRANGE -> true;
    };
  }

  private static Optional<RulePair> whole(ColumnType source, ColumnType target, boolean encodings) {
    if (source.name().equals(target.name()) && source.kind() == target.kind()) {
      ValueRule rule = RowEquality.same(source.name());
      Optional<ValueForm.Sorted> sorted =
          encodings ? ValueForm.Sorted.of(source.name()) : Optional.empty();
      return Optional.of(sorted.map(kind -> members(rule, kind)).orElse(plain(rule, rule)));
    }
    return RowEquality.across(source, target)
        .map(
            row ->
                encodings && row.sourceRule() == ValueRule.JSON_AS_JSONB
                    ? members(row.sourceRule(), ValueForm.Sorted.JSON)
                    : plain(row.sourceRule(), row.targetRule()));
  }

  private static Optional<RulePair> made(ColumnType source, ColumnType target, boolean encodings) {
    if (source.kind() != target.kind()) {
      return Optional.empty();
    }
    return switch (source.kind()) {
      case SCALAR, ENUM -> throw new IllegalArgumentException(source + " has no parts");
      case ARRAY ->
          part(source.part(), target.part(), encodings).map(p -> p.in(ValueForm.Elements::new));
      case COMPOSITE -> attributes(source, target, encodings);
      // Another range type may have another canonical form: [1,3] there is [1,4) here.
      case RANGE ->
          source.name().equals(target.name())
              ? part(source.part(), target.part(), encodings).map(p -> p.in(ValueForm.Bounds::new))
              : Optional.empty();
      case MULTIRANGE ->
          source.part().name().equals(target.part().name())
              ? part(source.part().part(), target.part().part(), encodings)
                  .map(p -> p.in(ValueForm.Ranges::new))
              : Optional.empty();
    };
  }

  /** By name and order: text alone would take (a 1, b 2) for (b 1, a 2). */
  private static Optional<RulePair> attributes(
      ColumnType source, ColumnType target, boolean encodings) {
    if (!names(source).equals(names(target))) {
      return Optional.empty();
    }
    List<RulePair> pairs = new ArrayList<>();
    for (int i = 0; i < source.parts().size(); i++) {
      Optional<RulePair> pair =
          part(source.parts().get(i).type(), target.parts().get(i).type(), encodings);
      if (pair.isEmpty()) {
        return Optional.empty();
      }
      pairs.add(pair.get());
    }
    return Optional.of(
        pairs.stream().allMatch(EXACT::equals)
            ? EXACT
            : new RulePair(
                new ValueForm.Attributes(pairs.stream().map(RulePair::source).toList()),
                new ValueForm.Attributes(pairs.stream().map(RulePair::target).toList())));
  }

  private static List<String> names(ColumnType composite) {
    return composite.parts().stream().map(ColumnType.Part::name).toList();
  }

  /** A part is there as text only: a rule that has the server cast it does not reach it. */
  private static Optional<RulePair> part(ColumnType source, ColumnType target, boolean encodings) {
    if (isMade(source) || isMade(target)) {
      return made(source, target, encodings);
    }
    Optional<RulePair> pair = whole(source, target, encodings);
    boolean one = source.equals(target);
    return pair.flatMap(
        rules ->
            switch (rules.source().rule()) {
              // Digests take parts as they are printed: equal prints must be equal values.
              case EXACT_TEXT, NUMERIC_BY_VALUE, FLOAT_SIGNLESS_ZERO, CHAR_WITHOUT_PADDING ->
                  rules.source().equals(rules.target()) ? pair : Optional.empty();
              // Both have one printed form a value under the pinned settings.
              case BYTEA_BYTES, MONEY_AS_NUMERIC -> one ? Optional.of(EXACT) : Optional.empty();
              case JSON_AS_JSONB,
                  TEXT_AS_UUID,
                  TIMESTAMP_IN_UTC,
                  FUNCTION_SIGNATURE,
                  OPERATOR_SIGNATURE,
                  BY_PARTS ->
                  Optional.empty();
            });
  }

  private RulePair in(Function<ValueForm, ValueForm> whole) {
    return equals(EXACT) ? EXACT : new RulePair(whole.apply(source), whole.apply(target));
  }

  private static RulePair members(ValueRule rule, ValueForm.Sorted kind) {
    ValueForm form = new ValueForm.Members(rule, kind);
    return new RulePair(form, form);
  }

  private static RulePair plain(ValueRule source, ValueRule target) {
    return new RulePair(new ValueForm.Plain(source), new ValueForm.Plain(target));
  }
}
