package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.TableId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names as people write them, and which table of the target they lead to. */
class TargetNamesTest {

  private static TargetNames names(String schemas, String tables, String columns) {
    return new TargetNames(
        TargetNames.parseSchemas(schemas),
        TargetNames.parseTables(tables),
        TargetNames.parseColumns(columns));
  }

  private static TableId id(String text) {
    return TableId.parse(text);
  }

  @Test
  void namesAreReadAsInSql() {
    assertThat(TargetNames.parseSchemas(" Public : DWH ,\"a:b\":\"c,d\""))
        .isEqualTo(Map.of("public", "dwh", "a:b", "c,d"));
    assertThat(
            TargetNames.parseTables(
                "public.Orders:dwh.orders_v2, \"A.B\".\"x:y\":\"C\".\"it\"\"s\""))
        .isEqualTo(
            Map.of(
                new TableId("public", "orders"), new TableId("dwh", "orders_v2"),
                new TableId("A.B", "x:y"), new TableId("C", "it\"s")));
    assertThat(
            TargetNames.parseColumns(
                "public.orders.total:amount,public.orders.\"No:te\":\"a.b\", s.t.c:D"))
        .isEqualTo(
            Map.of(
                new TableId("public", "orders"), Map.of("total", "amount", "No:te", "a.b"),
                new TableId("s", "t"), Map.of("c", "d")));
    assertThat(names("", " ", "")).isEqualTo(TargetNames.SAME);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a:b:c", ":b", "a:", "a.b:c", "a:b.c", ",", "a:b,", "\"a:b"})
  void whatIsNoPairOfSchemasIsRefused(String text) {
    assertThatThrownBy(() -> TargetNames.parseSchemas(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be schema:schema, the source's name first");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b", "a.b:c", "a:b", "a.b:c.d.e", "a.b:c.d:e.f", "a.b:c.d,", "a.b=c.d"})
  void whatIsNoPairOfTablesIsRefused(String text) {
    assertThatThrownBy(() -> TargetNames.parseTables(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be schema.table:schema.table")
        .hasMessageNotContaining("a.b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b.c", "a.b:c", "a.b.c:d.e", "a.b.c:a.b.d", "a.b.c:", "a.b.c:d:e", ","})
  void whatIsNoPairOfColumnsIsRefused(String text) {
    assertThatThrownBy(() -> TargetNames.parseColumns(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be schema.table.column:column")
        .hasMessageNotContaining("a.b");
  }

  @Test
  void twoNamesNeverLeadToOneNorOneToTwo() {
    assertThatThrownBy(() -> TargetNames.parseSchemas("a:x,b:x"))
        .hasMessage("must not lead from two schemas of the source to one of the target");
    assertThatThrownBy(() -> TargetNames.parseTables("a.a:x.x,a.b:\"x\".x"))
        .hasMessage("must not lead from two tables of the source to one of the target");
    assertThatThrownBy(() -> TargetNames.parseColumns("a.a.a:x,a.a.b:x"))
        .hasMessage("must not lead from two columns of the source to one of the target");
    assertThatThrownBy(() -> TargetNames.parseSchemas("a:x,a:y"))
        .hasMessage("must give each schema one name on the target");
    assertThatThrownBy(() -> TargetNames.parseTables("a.a:x.x,a.a:x.y"))
        .hasMessage("must give each table one name on the target");
    assertThatThrownBy(() -> TargetNames.parseColumns("a.a.a:x,a.a.a:y"))
        .hasMessage("must give each column one name on the target");
    // Said twice is not said otherwise, and another table's column is another column.
    assertThat(TargetNames.parseSchemas("a:x,a:x")).hasSize(1);
    assertThat(TargetNames.parseColumns("a.a.a:x,a.b.b:x")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "public.orders, dwh.orders_v2",
    "public.other, dwh.other",
    "apart.orders, apart.orders",
    "public.plain, public.plain",
    "sales.x, dwh.x"
  })
  void tablesCountBeforeSchemas(String source, String target) {
    TargetNames names =
        names(
            "public:dwh",
            "public.orders:dwh.orders_v2,public.plain:public.plain,sales.x:dwh.x",
            "");
    assertThat(names.table(id(source))).contains(id(target));
  }

  /** What would be there by its own name, or its schema's, is not where another was put. */
  @Test
  void aNameThatIsGivenAwayLeadsNowhere() {
    TargetNames names = names("public:dwh", "public.a:dwh.b,public.c:apart.d", "");
    assertThat(names.table(id("public.b"))).isEmpty();
    assertThat(names.whyNone(id("public.b")))
        .isEqualTo(
            "which table of the target holds public.b is not said: verify.table.mapping gives dwh.b"
                + " to another table of the source; give public.b its own in verify.table.mapping");
    assertThat(names.table(id("apart.d"))).isEmpty();
    assertThat(names.table(id("dwh.x"))).isEmpty();
    assertThat(names.whyNone(id("dwh.x")))
        .contains("verify.schema.mapping gives the schema dwh to another schema of the source");
    // The names of what is elsewhere are free.
    assertThat(names("", "a.a:a.b,a.b:a.a", "").table(id("a.b"))).contains(id("a.a"));
    assertThat(names("a:b,b:a", "", "").table(id("b.t"))).contains(id("a.t"));
  }

  @Test
  void columnsGoByTheSourcesTable() {
    TargetNames names = names("", "public.orders:dwh.v2", "public.orders.total:amount");
    assertThat(names.column(id("public.orders"), "total")).isEqualTo("amount");
    assertThat(names.column(id("public.orders"), "id")).isEqualTo("id");
    assertThat(names.column(id("dwh.v2"), "total")).isEqualTo("total");
  }
}
