package io.walproof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Vectors that were computed by another program from the format's description (invariant K). */
class ShapeHashGoldenTest {

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void theHashIsThatOfTheVector(String what, JsonNode vector) {
    assertThat(ShapeHash.of(shape(vector.get("columns"))).hex())
        .isEqualTo(vector.get("hash").textValue());
  }

  @Test
  void orderKeyAndForeignOidsDoNotEnter() throws Exception {
    List<String> hashes = new ArrayList<>();
    file().get("vectors").forEach(vector -> hashes.add(vector.get("hash").textValue()));
    assertThat(hashes.get(1)).isEqualTo(hashes.get(2)).isNotEqualTo(hashes.get(3));
    assertThat(hashes.get(4)).isEqualTo(hashes.get(5));
    assertThat(hashes.get(7)).isNotEqualTo(hashes.get(8));
  }

  @Test
  void theJvmsLocaleDoesNotEnter() throws Exception {
    Locale before = Locale.getDefault();
    try {
      for (String tag : List.of("tr-TR", "ar-EG-u-nu-arab", "th-TH-u-ca-buddhist-nu-thai")) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        for (JsonNode vector : file().get("vectors")) {
          assertThat(ShapeHash.of(shape(vector.get("columns"))).hex())
              .as(tag)
              .isEqualTo(vector.get("hash").textValue());
        }
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  /** The boundary is PostgreSQL's FirstGenbkiObjectId: OIDs from there on differ by cluster. */
  @Test
  void aTypeGoesByItsNameFromTheFirstAssignedOidOn() {
    assertThat(ShapeHash.typeTag(new ColumnShape("c", 9_999, "public.t", -1, false)))
        .isEqualTo("oid:9999");
    assertThat(ShapeHash.typeTag(new ColumnShape("c", 10_000, "public.t", -1, false)))
        .isEqualTo("name:public.t");
    assertThat(ShapeHash.typeTag(new ColumnShape("c", 10_000, null, -1, false)))
        .isEqualTo("oid:10000");
  }

  @Test
  void aHashIsItsText() {
    String hex = "0123456789abcdef0123456789abcdef";
    assertThat(new ShapeHash(hex)).hasToString(hex);
  }

  static Stream<org.junit.jupiter.params.provider.Arguments> vectors() throws Exception {
    return StreamSupport.stream(file().get("vectors").spliterator(), false)
        .map(
            vector ->
                org.junit.jupiter.params.provider.Arguments.of(
                    vector.get("what").textValue(), vector));
  }

  private static JsonNode file() throws Exception {
    try (InputStream in =
        ShapeHashGoldenTest.class.getResourceAsStream("/golden/shape-hash-v1.json")) {
      JsonNode json = new ObjectMapper().readTree(in);
      assertThat(json.get("version").intValue()).isEqualTo(1);
      return json;
    }
  }

  private static Shape shape(JsonNode columns) {
    List<ColumnShape> list = new ArrayList<>();
    for (JsonNode column : columns) {
      list.add(
          new ColumnShape(
              column.get("name").textValue(),
              column.get("typeOid").longValue(),
              column.get("typeName").textValue(),
              column.get("mod").intValue(),
              column.get("key").booleanValue()));
    }
    return new Shape(new TableId("public", "t"), 1, ReplicaIdentity.DEFAULT, list);
  }
}
