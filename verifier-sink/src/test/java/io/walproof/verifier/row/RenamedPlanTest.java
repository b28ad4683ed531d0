package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RowAccess.Opening;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Plans go by the source's names; only statements for the target know its own. */
class RenamedPlanTest {

  private static final TableId ORDERS = TableId.parse("public.orders");
  private static final String INT4 = "OPERATOR(\"pg_catalog\".=)";

  private final RowSettings settings =
      RowSettings.defaults()
          .withNames(
              new TargetNames(
                  TargetNames.parseSchemas("public:dwh"),
                  TargetNames.parseTables("public.orders:dwh.\"v\"\"2\""),
                  TargetNames.parseColumns("public.orders.id:\"no:\",public.orders.total:amount")));

  /** A table whose columns are integers; the first one is the primary key. */
  private static SideCatalog catalog(Side side, String table, String... columns) {
    ColumnType int4 = ColumnType.scalar(new TypeName("pg_catalog", "int4"));
    return new SideCatalog(
        side,
        TableId.parse(table),
        'r',
        "UTF8",
        SideCatalog.USUAL_MONEY_DIGITS,
        SideCatalog.Access.READABLE,
        Arrays.stream(columns).map(name -> new CatalogColumn(name, int4, "integer")).toList(),
        List.of(),
        List.of(
            new UniqueIndex(
                "pk",
                true,
                List.of(new UniqueIndex.Part(columns[0], INT4, sort())),
                Optional.empty())),
        "");
  }

  private static IndexSort sort() {
    return new IndexSort(
        List.of("<", "<=", "=", ">=", ">"), Optional.empty(), "none", false, false);
  }

  private static SideCatalog source() {
    return catalog(Side.SOURCE, "public.orders", "id", "total", "note");
  }

  private Opening open(SideCatalog target) {
    return open(source(), target);
  }

  private Opening open(SideCatalog source, SideCatalog target) {
    return new TablePlanner(ORDERS, List.of("id"), settings)
        .plan(
            Optional.of(source),
            Optional.ofNullable(target)
                .map(there -> there.inSourceNames(settings.names().columns(ORDERS))));
  }

  private static PlannedTable plan(Opening opening) {
    return (PlannedTable) ((Opening.Ready) opening).plan();
  }

  @Test
  void theTargetIsReadByItsOwnNamesAndNamedByTheSources() {
    PlannedTable plan =
        plan(open(catalog(Side.TARGET, "dwh.\"v\"\"2\"", "no:", "amount", "note", "more")));
    assertThat(plan.table()).isEqualTo(ORDERS);
    assertThat(plan.keyColumns()).containsExactly("id");
    assertThat(plan.comparedColumns()).containsExactly("id", "note", "total");
    assertThat(plan.columnsOnlyOnTarget()).containsExactly("more");
    assertThat(plan.heldAs())
        .contains("dwh.\"v\"\"2\", with column id as \"no:\", total as amount");
    assertThat(plan.on(Side.SOURCE).sql())
        .contains("t.\"id\"", "t.\"total\"", "FROM ONLY \"public\".\"orders\" AS t")
        .doesNotContain("amount")
        .doesNotContain("dwh");
    assertThat(plan.on(Side.TARGET).sql())
        .contains("t.\"no:\"", "t.\"amount\"", "t.\"note\"", "FROM ONLY \"dwh\".\"v\"\"2\" AS t")
        .doesNotContain("total")
        .doesNotContain("\"id\"");
    UniqueIndex key = RangePlanner.key(source()).orElseThrow();
    RangePlan range = RangePlanner.plan(plan, key, 1000);
    assertThat(range.pairing()).isEqualTo(RangePlan.Pairing.BY_ORDER);
    assertThat(range.isIndexed(Side.TARGET)).isTrue();
    KeyRange from =
        new KeyRange(Optional.of(new KeyRange.Bound(List.of("7"), true)), Optional.empty());
    RangeSql sql = range.on(Side.TARGET).sql();
    for (String text :
        List.of(sql.rows(from, 5), sql.keys(from, 5), sql.digest(from), sql.withoutKey())) {
      assertThat(text)
          .contains("t.\"no:\"", "FROM ONLY \"dwh\".\"v\"\"2\" AS t")
          .doesNotContain("\"id\"");
    }
    assertThat(sql.digest(from)).contains("ROW(").contains("t.\"amount\"");
  }

  /** Without a mapping nothing is named but what has one name. */
  @Test
  void theSourcesNamesStayWithoutAMapping() {
    SideCatalog there = catalog(Side.TARGET, "public.orders", "id", "total", "note");
    assertThat(there.inSourceNames(java.util.Map.of())).isSameAs(there);
    PlannedTable plan =
        plan(
            new TablePlanner(ORDERS, List.of("id"), RowSettings.defaults())
                .plan(Optional.of(source()), Optional.of(there)));
    assertThat(plan.heldAs()).isEmpty();
    assertThat(plan.on(Side.TARGET).sql()).isEqualTo(plan.on(Side.SOURCE).sql());
  }

  /**
   * A column that has the source column's name, while the mapping says that another one holds it.
   */
  @Test
  void aColumnOfTheOldNameIsTheTargetsOwn() {
    SideCatalog target =
        catalog(Side.TARGET, "dwh.\"v\"\"2\"", "no:", "total", "amount", "note", "id");
    PlannedTable plan = plan(open(target));
    assertThat(plan.columnsOnlyOnTarget()).containsExactly("total", "id");
    assertThat(plan.on(Side.TARGET).sql()).contains("t.\"amount\"").doesNotContain("t.\"total\"");
    // Nor does an index over it serve the key.
    SideCatalog old =
        catalog(Side.TARGET, "dwh.\"v\"\"2\"", "id", "no:", "amount", "note")
            .inSourceNames(settings.names().columns(ORDERS));
    assertThat(old.uniqueIndexes()).isEmpty();
    assertThat(old.usableKey(List.of("id"))).isEmpty();
    assertThat(target.inSourceNames(settings.names().columns(ORDERS)).usableKey(List.of("id")))
        .isPresent();
  }

  @Test
  void swappedNamesAreSwapped() {
    SideCatalog swapped =
        catalog(Side.TARGET, "public.orders", "a", "b")
            .inSourceNames(java.util.Map.of("a", "b", "b", "a"));
    assertThat(swapped.sql("a")).isEqualTo("t.\"b\"");
    assertThat(swapped.sql("b")).isEqualTo("t.\"a\"");
    assertThat(swapped.unpaired()).isEmpty();
    assertThat(swapped.usableKey(List.of("b"))).isPresent();
    assertThat(swapped.usableKey(List.of("a"))).isEmpty();
  }

  private static void refused(Opening opening, IncompleteReason reason, String detail) {
    assertThat(opening)
        .isInstanceOfSatisfying(
            Opening.Unavailable.class,
            unavailable -> {
              assertThat(unavailable.reason()).isEqualTo(reason);
              assertThat(unavailable.detail()).isEqualTo(detail);
            });
  }

  @Test
  void whatTheTargetLacksIsSaidInItsNames() {
    refused(
        open(null),
        IncompleteReason.TARGET_TABLE_MISSING,
        "the target has no table dwh.\"v\"\"2\" (public.orders on the source); create it there (pg_dump"
            + " --schema-only --table='\"public\".\"orders\"' on the source prints how)");
    refused(
        open(catalog(Side.TARGET, "dwh.\"v\"\"2\"", "no:", "total", "note")),
        IncompleteReason.TARGET_COLUMN_MISSING,
        "the target table dwh.\"v\"\"2\" (public.orders on the source) lacks amount; run there:"
            + " ALTER TABLE \"dwh\".\"v\"\"2\" ADD COLUMN \"amount\" integer;");
  }

  /**
   * A column that came later, of a name that the mapping gives to another: never its counterpart.
   */
  @Test
  void aColumnWhoseNameIsGivenAwayHasNoCounterpart() {
    refused(
        open(
            catalog(Side.SOURCE, "public.orders", "id", "total", "amount"),
            catalog(Side.TARGET, "dwh.\"v\"\"2\"", "no:", "amount")),
        IncompleteReason.TARGET_COLUMN_MISSING,
        "the target table dwh.\"v\"\"2\" (public.orders on the source) lacks amount; its amount"
            + " stands for another column by verify.column.mapping: say there what stands for"
            + " amount");
  }

  @Test
  void aTableWhoseNameIsGivenAwayIsNotJudged() {
    TableId other = new TableId("public", "v\"2");
    SideCatalog source = catalog(Side.SOURCE, "public.\"v\"\"2\"", "id");
    refused(
        new TablePlanner(other, List.of("id"), settings)
            .plan(Optional.of(source), Optional.empty()),
        IncompleteReason.NOT_COMPARABLE,
        settings.names().whyNone(other));
  }

  @Test
  void grantsNameTheTargetsTable() {
    SideCatalog there = catalog(Side.TARGET, "dwh.\"v\"\"2\"", "no:", "amount", "note");
    SideCatalog closed =
        new SideCatalog(
            there.side(),
            there.table(),
            there.kind(),
            there.encoding(),
            there.moneyDigits(),
            SideCatalog.Access.NO_PRIVILEGE,
            there.columns(),
            there.unpaired(),
            there.uniqueIndexes(),
            there.fingerprint());
    assertThat(((Opening.Unavailable) open(closed)).detail())
        .contains("GRANT USAGE ON SCHEMA \"dwh\" TO", "GRANT SELECT ON \"dwh\".\"v\"\"2\" TO");
  }
}
