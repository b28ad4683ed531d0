package io.walproof.verifier.row;

import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RangePlan.Pairing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Decides in which order each side is read, and whether the two orders are one. Pure. */
final class RangePlanner {

  /** Sorted by value, the same on every server. */
  private static final Set<String> ONE_ORDER =
      Set.of(
          "int2",
          "int4",
          "int8",
          "oid",
          "numeric",
          "float4",
          "float8",
          "money",
          "bool",
          "uuid",
          "bytea",
          "date",
          "time",
          "timetz",
          "timestamp",
          "timestamptz",
          "interval",
          "bit",
          "varbit",
          "inet",
          "cidr",
          "macaddr",
          "macaddr8",
          "pg_lsn",
          "xid8",
          "char");

  /** Each fits the ones behind it. */
  private static final List<String> NUMBERS = List.of("int2", "int4", "int8", "numeric");

  private static final Set<String> TEXTS = Set.of("text", "varchar", "bpchar", "name");

  private RangePlanner() {}

  /** The index whose columns are the key: the primary key's if it can be. */
  static Optional<UniqueIndex> key(SideCatalog source) {
    List<UniqueIndex> usable =
        source.uniqueIndexes().stream().filter(index -> index.unusable().isEmpty()).toList();
    return usable.stream()
        .filter(UniqueIndex::primary)
        .findFirst()
        .or(() -> usable.stream().findFirst());
  }

  /** The plan for a table whose key columns are the source index's, in its order. */
  static RangePlan plan(PlannedTable planned, UniqueIndex key, int rowMaxBytes) {
    SideCatalog source = planned.on(Side.SOURCE).catalog();
    SideCatalog target = planned.on(Side.TARGET).catalog();
    Optional<UniqueIndex> there = target.usableKey(planned.keyColumns());
    List<OrderTerm> sourceTerms = forward(terms(key, source, target, planned.keyColumns()));
    List<OrderTerm> likeSource = likeSource(sourceTerms, source, target, there);
    boolean together = oneOrder(sourceTerms, likeSource, source, target, there);
    List<OrderTerm> targetTerms =
        together
            ? likeSource
            : there
                .map(index -> forward(terms(index, target, source, planned.keyColumns())))
                .orElse(likeSource);
    return new RangePlan(
        planned,
        together ? Pairing.BY_ORDER : Pairing.BY_LOOKUP,
        key.primary(),
        side(planned, planned.on(Side.SOURCE), sourceTerms, true, rowMaxBytes),
        side(planned, planned.on(Side.TARGET), targetTerms, there.isPresent(), rowMaxBytes));
  }

  private static RangeSide side(
      PlannedTable planned,
      SidePlan side,
      List<OrderTerm> terms,
      boolean indexed,
      int rowMaxBytes) {
    List<String> columns = new ArrayList<>();
    List<ColumnType> types = new ArrayList<>();
    List<String> values = new ArrayList<>();
    List<String> canonical = new ArrayList<>();
    for (int i = 0; i < planned.comparedColumns().size(); i++) {
      String column = side.catalog().sql(planned.comparedColumns().get(i));
      columns.add(column);
      types.add(side.catalog().column(planned.comparedColumns().get(i)).orElseThrow().shape());
      values.add(side.forms().get(i).rule().sql(column));
      canonical.add(side.forms().get(i).rule().canonicalSql(column));
    }
    // A key names its columns in the plan's order, whatever the order of this side's index.
    List<Integer> keyPlaces =
        planned.keyColumns().stream()
            .map(column -> planned.comparedColumns().indexOf(column))
            .toList();
    return new RangeSide(
        side,
        new RangeSql(
            side.relation(),
            !indexed,
            terms,
            values,
            canonical,
            keyPlaces,
            RowSize.guard(types, columns, rowMaxBytes)),
        planned.comparedColumns(),
        keyPlaces,
        indexed);
  }

  private static List<OrderTerm> terms(
      UniqueIndex index, SideCatalog catalog, SideCatalog other, List<String> keyColumns) {
    List<OrderTerm> terms = new ArrayList<>();
    for (UniqueIndex.Part part : index.parts()) {
      CatalogColumn own = catalog.column(part.column()).orElseThrow();
      TypeName common = common(own.type(), other.column(part.column()).orElseThrow().type());
      terms.add(
          new OrderTerm(
              own.name(),
              own.own(),
              keyColumns.indexOf(own.name()),
              own.type(),
              common,
              part.sort()));
    }
    return terms;
  }

  /** Of two numbers' types the wider one; of others the first. */
  private static TypeName common(TypeName one, TypeName other) {
    return bothNumbers(one, other) && NUMBERS.indexOf(other.name()) > NUMBERS.indexOf(one.name())
        ? other
        : one;
  }

  /** An index that only descends is read from its end, so that one row comparison serves it. */
  private static List<OrderTerm> forward(List<OrderTerm> terms) {
    return terms.stream().allMatch(term -> term.sort().descending())
        ? terms.stream().map(OrderTerm::backward).toList()
        : terms;
  }

  /** The source's order, told in the target's own types, operators and collations. */
  private static List<OrderTerm> likeSource(
      List<OrderTerm> sourceTerms,
      SideCatalog source,
      SideCatalog target,
      Optional<UniqueIndex> index) {
    List<OrderTerm> terms = new ArrayList<>();
    for (OrderTerm term : sourceTerms) {
      TypeName from = source.column(term.column()).orElseThrow().type();
      CatalogColumn there = target.column(term.column()).orElseThrow();
      TypeName to = there.type();
      IndexSort own =
          index.stream()
              .flatMap(known -> known.parts().stream())
              .filter(part -> part.column().equals(term.column()))
              .map(UniqueIndex.Part::sort)
              .findFirst()
              .orElse(term.sort());
      IndexSort sort =
          new IndexSort(
              own.operators(),
              own.collation(),
              own.sorting(),
              term.sort().descending(),
              term.sort().nullsFirst());
      // Either side's key may be too large for the other's type; a comparison across types is not.
      TypeName bound = bothNumbers(from, to) ? term.common() : to;
      terms.add(
          new OrderTerm(term.column(), there.own(), term.place(), bound, term.common(), sort));
    }
    return terms;
  }

  private static boolean oneOrder(
      List<OrderTerm> sourceTerms,
      List<OrderTerm> targetTerms,
      SideCatalog source,
      SideCatalog target,
      Optional<UniqueIndex> there) {
    boolean sameColumns =
        there.isEmpty()
            || there.get().parts().stream()
                .map(UniqueIndex.Part::column)
                .toList()
                .equals(sourceTerms.stream().map(OrderTerm::column).toList());
    for (int i = 0; i < sourceTerms.size(); i++) {
      CatalogColumn from = source.column(sourceTerms.get(i).column()).orElseThrow();
      CatalogColumn to = target.column(sourceTerms.get(i).column()).orElseThrow();
      if (!sameColumns
          || !alike(from, to)
          || (there.isEmpty() && !sortsBySqlAlone(from, sourceTerms.get(i)))
          || !sourceTerms.get(i).sort().sorting().equals(targetTerms.get(i).sort().sorting())) {
        return false;
      }
    }
    return Stream.concat(sourceTerms.stream(), targetTerms.stream())
        .allMatch(term -> !term.sort().operators().isEmpty());
  }

  /**
   * Without an index there, nothing says how the target sorts what a collation or a type decides.
   */
  private static boolean sortsBySqlAlone(CatalogColumn column, OrderTerm term) {
    return term.sort().collation().isEmpty() && column.shape().kind() == ColumnType.Kind.SCALAR;
  }

  private static boolean alike(CatalogColumn from, CatalogColumn to) {
    if (bothNumbers(from.type(), to.type())) {
      // No index over integers serves bounds that are numeric.
      return to.type().is("numeric") || !from.type().is("numeric");
    }
    if (from.shape().kind() == ColumnType.Kind.ENUM || to.shape().kind() == ColumnType.Kind.ENUM) {
      return from.shape().kind() == to.shape().kind();
    }
    if (from.type().builtIn() && to.type().builtIn()) {
      return (TEXTS.contains(from.type().name()) && TEXTS.contains(to.type().name()))
          || (ONE_ORDER.contains(from.type().name()) && from.type().equals(to.type()));
    }
    return false;
  }

  private static boolean bothNumbers(TypeName from, TypeName to) {
    return from.builtIn()
        && to.builtIn()
        && NUMBERS.contains(from.name())
        && NUMBERS.contains(to.name());
  }
}
