package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.ColumnType.Kind;
import io.walproof.verifier.row.RowAccess.Opening;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A money is a number of smallest units: 100 is 1.00 to one locale and 100 to another. */
class MoneyDigitsTest {

  private static final ColumnType MONEY = builtIn("money");
  private static final ColumnType MONEYS =
      new ColumnType(
          new TypeName("pg_catalog", "_money"),
          Kind.ARRAY,
          List.of(new ColumnType.Part("", MONEY)));

  private static ColumnType builtIn(String name) {
    return ColumnType.scalar(new TypeName("pg_catalog", name));
  }

  private static SideCatalog catalog(Side side, int digits, ColumnType key, ColumnType value) {
    return new SideCatalog(
        side,
        TableId.parse("public.t"),
        'r',
        "UTF8",
        digits,
        SideCatalog.Access.READABLE,
        List.of(
            new CatalogColumn("id", key, key.name().toString()),
            new CatalogColumn("v", value, value.name().toString())),
        List.of(),
        List.of(
            new UniqueIndex(
                "pk",
                true,
                List.of(
                    new UniqueIndex.Part("id", "OPERATOR(\"pg_catalog\".=)", IndexSort.UNKNOWN)),
                Optional.empty())),
        "");
  }

  private static Opening open(
      int here, ColumnType source, int there, ColumnType target, ColumnType key) {
    return new TablePlanner(TableId.parse("public.t"), List.of("id"), RowSettings.defaults())
        .plan(
            Optional.of(catalog(Side.SOURCE, here, key, source)),
            Optional.of(catalog(Side.TARGET, there, key, target)));
  }

  @ParameterizedTest
  @CsvSource({
    "2, money, 2, money, true",
    "0, money, 0, money, true",
    "0, money, 2, money, false",
    "2, money, 3, money, false",
    "2, money, 2, numeric, true",
    "0, money, 2, numeric, false",
    "2, int8, 3, money, false"
  })
  void moneyIsComparedInOneUnitOnly(
      int here, String source, int there, String target, boolean compared) {
    Opening.Ready ready =
        (Opening.Ready) open(here, builtIn(source), there, builtIn(target), builtIn("int4"));
    assertThat(ready.plan().comparedColumns().contains("v")).isEqualTo(compared);
    if (compared) {
      assertThat(ready.plan().columnsNotCompared()).isEmpty();
    } else {
      assertThat(ready.plan().columnsNotCompared())
          .singleElement()
          .asString()
          .contains("v: ", "another number of decimals (lc_monetary)");
    }
  }

  @Test
  void soIsWhatHoldsMoney() {
    Opening.Ready ready = (Opening.Ready) open(0, MONEYS, 2, MONEYS, builtIn("int4"));
    assertThat(ready.plan().comparedColumns()).containsExactly("id");
    ready = (Opening.Ready) open(2, MONEYS, 2, MONEYS, builtIn("int4"));
    assertThat(ready.plan().comparedColumns()).containsExactly("id", "v");
  }

  @Test
  void aMoneyKeyOfAnotherUnitFindsNothing() {
    assertThat(open(0, builtIn("int4"), 2, builtIn("int4"), MONEY))
        .isInstanceOf(Opening.Unavailable.class);
    assertThat(open(0, builtIn("int4"), 0, builtIn("int4"), MONEY))
        .isInstanceOf(Opening.Ready.class);
  }
}
