package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RulePairTest {

  @ParameterizedTest
  @CsvSource({
    "int4,int4,exact_text",
    "int4,int8,numeric_by_value",
    "int8,numeric,numeric_by_value",
    "numeric,numeric,numeric_by_value",
    "money,money,money_as_numeric",
    "money,numeric,money_as_numeric to numeric_by_value",
    "float4,float4,float_signless_zero",
    "text,varchar,exact_text",
    "bpchar,bpchar,char_without_padding",
    "bpchar,text,char_without_padding",
    "text,bpchar,exact_text to char_without_padding",
    "json,json,exact_text",
    "jsonb,jsonb,exact_text",
    "json,jsonb,json_as_jsonb",
    "jsonb,json,json_as_jsonb",
    "bytea,bytea,bytea_bytes",
    "uuid,text,exact_text",
    "varchar,uuid,text_as_uuid to exact_text",
    "bit,varbit,exact_text",
    "regproc,regproc,function_signature",
  })
  void whatIsComparedAndHow(String source, String target, String rule) {
    assertThat(rule(builtIn(source), builtIn(target))).contains(rule);
  }

  @ParameterizedTest
  @CsvSource({
    "float4,float8",
    "float8,numeric",
    "int4,text",
    "timestamp,timestamptz",
    "json,text",
    "bytea,text",
    "_int4,_int8",
    "uuid,bpchar",
    "bool,int4"
  })
  void whatIsNot(String source, String target) {
    assertThat(of(builtIn(source), builtIn(target))).isEmpty();
    assertThat(of(builtIn(target), builtIn(source))).isEmpty();
  }

  @Test
  void userTypesMatchByQualifiedName() {
    assertThat(of(user("public", "box3d"), user("public", "box3d"))).isPresent();
    assertThat(of(user("public", "box3d"), user("other", "box3d"))).isEmpty();
    assertThat(rule(label("public", "mood"), label("other", "feeling"))).contains("exact_text");
    assertThat(of(label("public", "mood"), builtIn("text"))).isPresent();
    assertThat(of(label("public", "mood"), builtIn("int4"))).isEmpty();
    assertThat(rule(user("ext", "citext"), builtIn("varchar"))).contains("exact_text");
    assertThat(rule(user("ext", "citext"), user("public", "citext"))).contains("exact_text");
    // A type of our own that is called like a built-in one follows no built-in rule.
    assertThat(rule(user("public", "numeric"), user("public", "numeric"))).contains("exact_text");
  }

  @Test
  void whatIsMadeOfPartsGoesByThem() {
    assertThat(rule(array(builtIn("numeric")), array(builtIn("numeric")))).contains("by_parts");
    assertThat(rule(array(builtIn("int4")), array(builtIn("int8")))).contains("by_parts");
    assertThat(rule(array(builtIn("text")), array(builtIn("varchar")))).contains("exact_text");
    assertThat(rule(array(builtIn("money")), array(builtIn("money")))).contains("exact_text");
    assertThat(rule(array(builtIn("money")), array(builtIn("numeric")))).isEmpty();
    assertThat(rule(array(builtIn("json")), array(builtIn("jsonb")))).isEmpty();
    // {"a  "} is what both print of 'a  ' and of 'a' with its padding, which are not equal.
    assertThat(rule(array(builtIn("text")), array(builtIn("bpchar")))).isEmpty();
    assertThat(rule(array(builtIn("bpchar")), array(builtIn("text")))).contains("by_parts");
    assertThat(rule(array(builtIn("bpchar")), array(builtIn("bpchar")))).contains("by_parts");
    assertThat(rule(array(builtIn("text")), array(builtIn("uuid")))).isEmpty();
    assertThat(rule(array(builtIn("regproc")), array(builtIn("regproc")))).isEmpty();
    assertThat(rule(array(builtIn("int4")), builtIn("int4"))).isEmpty();
    assertThat(rule(array(builtIn("json")), builtIn("json"))).isEmpty();
    ColumnType deep = composite("a", array(composite("n", builtIn("float8"))));
    assertThat(rule(deep, deep)).contains("by_parts");
  }

  /** The text of (a 1, b 2) is that of (b 1, a 2). */
  @Test
  void compositesMatchByTheirAttributesNamesAndOrder() {
    ColumnType ab =
        new ColumnType(
            new TypeName("public", "pair"),
            ColumnType.Kind.COMPOSITE,
            List.of(part("a", builtIn("int4")), part("b", builtIn("int4"))));
    ColumnType ba =
        new ColumnType(
            new TypeName("public", "pair"),
            ColumnType.Kind.COMPOSITE,
            List.of(part("b", builtIn("int4")), part("a", builtIn("int4"))));
    assertThat(rule(ab, ab)).contains("exact_text");
    assertThat(rule(ab, ba)).isEmpty();
    assertThat(rule(composite("a", builtIn("int4")), ab)).isEmpty();
    assertThat(rule(composite("a", builtIn("int4")), composite("a", builtIn("text")))).isEmpty();
  }

  @Test
  void rangesMatchByNameAndSubtype() {
    assertThat(rule(range("numrange", "numeric"), range("numrange", "numeric")))
        .contains("by_parts");
    assertThat(rule(range("own", "text"), range("own", "int4"))).isEmpty();
    assertThat(rule(range("int4range", "int4"), range("numrange", "numeric"))).isEmpty();
  }

  /** Over all pairs of types that have a rule across types, and of those that have none. */
  @Test
  void everyPairOfTypesIsInTheTableOrRefused() {
    List<ColumnType> types = new ArrayList<>();
    for (TypeFamily family : TypeFamily.values()) {
      family.builtIns().forEach(name -> types.add(builtIn(name)));
    }
    types.add(label("public", "mood"));
    types.add(label("public", "other"));
    types.add(user("public", "citext"));
    for (String name :
        List.of("bool", "bytea", "float4", "float8", "date", "time", "xml", "inet", "oid")) {
      types.add(builtIn(name));
    }
    for (ColumnType one : types) {
      for (ColumnType other : types) {
        Optional<RowEquality.Across> row = RowEquality.across(one, other);
        if (one.equals(other)) {
          assertThat(rule(one, other)).as(one.toString()).isPresent();
        } else {
          assertThat(of(one, other).map(p -> p.source().rule()))
              .isEqualTo(row.map(RowEquality.Across::sourceRule));
          assertThat(of(one, other).map(p -> p.target().rule()))
              .isEqualTo(row.map(RowEquality.Across::targetRule));
        }
      }
    }
  }

  /** One side finds a row by a key that the other tells apart from it. */
  @Test
  void someTypesAreNoKeyForOneAnother() {
    ColumnType citext = user("public", "citext");
    for (ColumnType own :
        List.of(builtIn("uuid"), builtIn("name"), builtIn("bpchar"), citext, builtIn("money"))) {
      ColumnType other = builtIn(own.name().is("money") ? "numeric" : "text");
      assertThat(fits(own, other)).as(own.toString()).isFalse();
      assertThat(fits(other, own)).as(own.toString()).isFalse();
      assertThat(fits(own, own)).as(own.toString()).isTrue();
    }
    assertThat(fits(builtIn("int4"), builtIn("numeric"))).isTrue();
    assertThat(fits(builtIn("varchar"), builtIn("text"))).isTrue();
  }

  private static boolean fits(ColumnType source, ColumnType target) {
    return of(source, target)
        .map(
            pair ->
                pair.fitsKey(
                    new CatalogColumn("k", source, "-"), new CatalogColumn("k", target, "-")))
        .orElse(false);
  }

  private static Optional<RulePair> of(ColumnType source, ColumnType target) {
    return RulePair.of(source, target, false);
  }

  private static Optional<String> rule(ColumnType source, ColumnType target) {
    return of(source, target).map(RulePair::text);
  }

  private static ColumnType builtIn(String type) {
    return ColumnType.scalar(new TypeName("pg_catalog", type));
  }

  private static ColumnType user(String schema, String type) {
    return ColumnType.scalar(new TypeName(schema, type));
  }

  private static ColumnType label(String schema, String type) {
    return new ColumnType(new TypeName(schema, type), ColumnType.Kind.ENUM, List.of());
  }

  private static ColumnType array(ColumnType element) {
    return new ColumnType(
        new TypeName("pg_catalog", "_of"), ColumnType.Kind.ARRAY, List.of(part("", element)));
  }

  private static ColumnType range(String name, String subtype) {
    return new ColumnType(
        new TypeName("public", name), ColumnType.Kind.RANGE, List.of(part("", builtIn(subtype))));
  }

  private static ColumnType composite(String attribute, ColumnType type) {
    return new ColumnType(
        new TypeName("public", "one"), ColumnType.Kind.COMPOSITE, List.of(part(attribute, type)));
  }

  private static ColumnType.Part part(String name, ColumnType type) {
    return new ColumnType.Part(name, type);
  }
}
