package io.walproof.connector.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.drift.AcceptedShapes.Entry;
import io.walproof.contract.Lsn;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code drift.accept} may hold. */
class AcceptedShapesTest {

  private static final String HASH = "0123456789abcdef0123456789abcdef";
  private static final String OTHER = "fedcba9876543210fedcba9876543210";

  private static Entry entry(String schema, String name, String hash) {
    return new Entry(new TableId(schema, name), new ShapeHash(hash), Optional.empty());
  }

  @Test
  void tablesAndShapesAreListedWithCommasBetween() {
    assertThat(
            AcceptedShapes.parse(
                    " public.orders=" + HASH + " ,\n Sales.T = " + OTHER + "@0/16B3748, ")
                .entries())
        .containsExactly(
            entry("public", "orders", HASH),
            new Entry(
                new TableId("sales", "t"),
                new ShapeHash(OTHER),
                Optional.of(Lsn.parse("0/16B3748"))));
    assertThat(AcceptedShapes.parse("").entries()).isEmpty();
  }

  /** An entry with an LSN means one time. */
  @Test
  void aShapeIsListedForWheneverItComesByAnEntryWithoutAnLsn() {
    TableId table = new TableId("public", "orders");
    AcceptedShapes once = AcceptedShapes.parse("public.orders=" + HASH + "@0/16B3748");
    AcceptedShapes ever = AcceptedShapes.parse("public.orders=" + HASH);
    assertThat(ever.lists(table, new ShapeHash(HASH))).isTrue();
    assertThat(once.lists(table, new ShapeHash(HASH))).isFalse();
    assertThat(ever.lists(table, new ShapeHash(OTHER))).isFalse();
    assertThat(ever.lists(new TableId("public", "other"), new ShapeHash(HASH))).isFalse();
    assertThat(once.and(ever).entries())
        .containsExactly(once.entries().get(0), ever.entries().get(0));
    assertThat(once.and(ever).lists(table, new ShapeHash(HASH))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a.b", "a,b", "a=b", "a\"b", " a ", "A", "a@0/1", "=", ",", "\"", "café", "order"})
  void anyNameThatACatalogHoldsCanBeAccepted(String name) {
    TableId table = new TableId(name, "t" + name);
    String text = AcceptedShapes.text(table, new ShapeHash(HASH), Lsn.parse("1/AB"));
    assertThat(AcceptedShapes.parse(text + "," + text).entries())
        .isEqualTo(
            List.of(
                new Entry(table, new ShapeHash(HASH), Optional.of(Lsn.parse("1/AB"))),
                new Entry(table, new ShapeHash(HASH), Optional.of(Lsn.parse("1/AB")))));
  }

  @ParameterizedTest
  @CsvSource({
    "public.orders, has no '='",
    "orders=" + HASH + ", names no table",
    "public.\"x=" + HASH + ", names no table",
    "public.orders=4711, has no hash",
    "public.orders=" + HASH + "0, has no hash",
    "public.orders=0123456789ABCDEF0123456789ABCDEF, has no hash",
    "public.orders=" + HASH + "@0, has no LSN",
    "public.orders=" + HASH + "@, has no LSN",
  })
  void whatIsMalformedIsNamedByItsPlaceAndNotQuoted(String bad, String how) {
    assertThatThrownBy(() -> AcceptedShapes.parse("public.good=" + HASH + "," + bad))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("entry 2 " + how)
        .hasMessageNotContaining("4711");
  }
}
