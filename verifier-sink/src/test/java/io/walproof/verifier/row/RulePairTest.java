package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
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

  /** Types of one group stand for one another here. */
  private static final Map<String, List<ColumnType>> GROUPS =
      Map.ofEntries(
          Map.entry("numbers", builtIns("int2", "int4", "int8", "numeric")),
          Map.entry("money", builtIns("money")),
          Map.entry("texts", texts()),
          Map.entry("char", builtIns("bpchar")),
          Map.entry("json", builtIns("json")),
          Map.entry("jsonb", builtIns("jsonb")),
          Map.entry("enums", List.of(label("public", "mood"), label("public", "other"))),
          Map.entry("uuid", builtIns("uuid")),
          Map.entry("bits", builtIns("bit", "varbit")),
          Map.entry("timestamp", builtIns("timestamp")),
          Map.entry("timestamptz", builtIns("timestamptz")),
          Map.entry("bool", builtIns("bool")),
          Map.entry("bytea", builtIns("bytea")),
          Map.entry("float4", builtIns("float4")),
          Map.entry("float8", builtIns("float8")),
          Map.entry("date", builtIns("date")),
          Map.entry("time", builtIns("time")),
          Map.entry("xml", builtIns("xml")),
          Map.entry("inet", builtIns("inet")),
          Map.entry("oid", builtIns("oid")));

  /** Every pair of different types that is compared, as README has them; all others are refused. */
  private static final Set<String> COMPARED =
      Set.of(
          "numbers > numbers",
          "numbers > money",
          "money > numbers",
          "texts > texts",
          "texts > char",
          "char > texts",
          "json > jsonb",
          "jsonb > json",
          "enums > enums",
          "enums > texts",
          "texts > enums",
          "uuid > texts",
          "texts > uuid",
          "bits > bits");

  @Test
  void everyPairOfTypesIsComparedOrRefusedAsReadmeSays() {
    GROUPS.forEach(
        (from, sources) ->
            GROUPS.forEach(
                (to, targets) -> {
                  for (ColumnType one : sources) {
                    for (ColumnType other : targets) {
                      assertThat(of(one, other).isPresent())
                          .as("%s > %s", one, other)
                          .isEqualTo(one.equals(other) || COMPARED.contains(from + " > " + to));
                    }
                  }
                }));
  }

  private static List<ColumnType> builtIns(String... names) {
    return Stream.of(names).map(RulePairTest::builtIn).toList();
  }

  private static List<ColumnType> texts() {
    List<ColumnType> texts = new ArrayList<>(builtIns("text", "varchar", "name"));
    texts.add(user("public", "citext"));
    return texts;
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
