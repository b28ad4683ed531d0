package io.walproof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableIdTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "foo, public.foo",
        "Foo, public.\"Foo\"",
        "a.b, public.\"a.b\"",
        "x#y/z, public.\"x#y/z\"",
        "1st, public.\"1st\"",
        "select, public.\"select\"",
        "foo\"bar, public.\"foo\"\"bar\"",
        "naïve, public.\"naïve\"",
        "with space, public.\"with space\"",
      })
  void isQuotedForPeopleOnlyWhereNeeded(String name, String display) {
    TableId table = new TableId("public", name);
    assertThat(table.display()).isEqualTo(display);
    assertThat(TableId.parse(display)).isEqualTo(table);
  }

  @Test
  void sortsBySchemaThenName() {
    List<TableId> sorted =
        List.of(new TableId("a", "z"), new TableId("b", "a"), new TableId("b", "b"));
    assertThat(sorted.stream().sorted(Collections.reverseOrder()).sorted()).isEqualTo(sorted);
    assertThat(sorted.get(0)).isEqualByComparingTo(new TableId("a", "z")).hasToString("a.z");
    assertThat(new TableId("a", "z")).isLessThan(new TableId("b", "a"));
    assertThat(new TableId("b", "b")).isGreaterThan(new TableId("b", "a"));
  }

  @Test
  void isAlwaysQuotedInSql() {
    assertThat(new TableId("S\"x", "t").sql()).isEqualTo("\"S\"\"x\".\"t\"");
  }

  @Test
  void bareNamesFoldAsciiOnly() {
    assertThat(TableId.parse("Public.OrdersÄ")).isEqualTo(new TableId("public", "ordersÄ"));
    assertThat(TableId.parse("AZ@.ZA[")).isEqualTo(new TableId("az@", "za["));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a.", ".b", "a.b.c", "\"a.b", "a.\"b\"c", "\"\".b", "a..b"})
  void refusesWhatIsNoTableName(String text) {
    assertThatThrownBy(() -> TableId.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void displayIsInjectiveAndReadable(
      @ForAll @NotEmpty String schema, @ForAll @NotEmpty String name) {
    TableId table = new TableId(schema.replace('\0', '0'), name.replace('\0', '0'));
    assertThat(TableId.parse(table.display())).isEqualTo(table);
  }

  @Test
  void dotsDoNotMakeTwoTablesOne() {
    Set<String> names = new HashSet<>();
    List<TableId> tables =
        List.of(new TableId("a", "b.c"), new TableId("a.b", "c"), new TableId("a\".\"b", "c"));
    tables.forEach(table -> names.add(table.display()));
    assertThat(names).hasSize(3);
  }
}
