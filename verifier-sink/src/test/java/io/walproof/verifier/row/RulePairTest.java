package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

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
    "varchar,citext,exact_text",
    "bpchar,bpchar,char_without_padding",
    "bpchar,text,char_without_padding",
    "text,bpchar,exact_text to char_without_padding",
    "json,json,exact_text",
    "jsonb,jsonb,exact_text",
    "json,jsonb,json_as_jsonb",
    "jsonb,json,json_as_jsonb",
    "bytea,bytea,bytea_bytes",
    "_numeric,_numeric,exact_text",
  })
  void whatIsComparedAndHow(String source, String target, String rule) {
    assertThat(RulePair.of(column(source), column(target)).map(RulePair::text)).contains(rule);
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
    "uuid,text",
    "bool,int4"
  })
  void whatIsNot(String source, String target) {
    assertThat(RulePair.of(column(source), column(target))).isEmpty();
    assertThat(RulePair.of(column(target), column(source))).isEmpty();
  }

  @Test
  void userTypesMatchByQualifiedName() {
    assertThat(RulePair.of(user("public", "box3d", 'b'), user("public", "box3d", 'b'))).isPresent();
    assertThat(RulePair.of(user("public", "box3d", 'b'), user("other", "box3d", 'b'))).isEmpty();
    Optional<RulePair> labels =
        RulePair.of(user("public", "mood", 'e'), user("other", "feeling", 'e'));
    assertThat(labels.map(RulePair::text)).contains("exact_text");
    assertThat(RulePair.of(user("public", "mood", 'e'), column("text"))).isPresent();
    assertThat(RulePair.of(user("public", "mood", 'e'), column("int4"))).isEmpty();
    // A type of our own that is called like a built-in one follows no built-in rule.
    assertThat(
            RulePair.of(user("public", "numeric", 'b'), user("public", "numeric", 'b'))
                .map(RulePair::text))
        .contains("exact_text");
  }

  private static CatalogColumn column(String type) {
    return new CatalogColumn("c", new TypeName("pg_catalog", type), 'b', type);
  }

  private static CatalogColumn user(String schema, String type, char kind) {
    return new CatalogColumn("c", new TypeName(schema, type), kind, type);
  }
}
