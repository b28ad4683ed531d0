package io.walproof.verifier.row;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.model.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one side's catalog says of a table at one moment. Its columns are known by the source's
 * names, also in the indexes; only SQL uses a side's own.
 *
 * @param side which side
 * @param table its name on this side
 * @param kind {@code pg_class.relkind}; {@code F} if partitions are foreign tables
 * @param encoding the database's
 * @param moneyDigits how many decimals money has by the database's own {@code lc_monetary}; 2 where
 *     no column holds any
 * @param access whether our role may read it
 * @param columns in order
 * @param unpaired columns that are none of the source's although one of the source's has the name:
 *     that one is another column here
 * @param uniqueIndexes by name; without those over unpaired columns
 * @param fingerprint what {@link CatalogSql#FINGERPRINT} said in the same snapshot
 */
record SideCatalog(
    Side side,
    TableId table,
    char kind,
    String encoding,
    int moneyDigits,
    Access access,
    List<CatalogColumn> columns,
    List<CatalogColumn> unpaired,
    List<UniqueIndex> uniqueIndexes,
    String fingerprint) {

  SideCatalog {
    columns = List.copyOf(columns);
    unpaired = List.copyOf(unpaired);
    uniqueIndexes = List.copyOf(uniqueIndexes);
  }

  /** What our role may do. */
  enum Access {
    READABLE,
    NO_PRIVILEGE,
    ROWS_HIDDEN
  }

  /**
   * What a statement reads. A table's rows are its own: those of tables that inherit from it are
   * published, copied and applied as these tables' rows. A partitioned table's are its partitions'.
   *
   * @param filter the condition that a row must meet
   */
  String relation(Optional<String> filter) {
    String rows = kind == 'r' ? "ONLY " + table.sql() : table.sql();
    return filter
        .map(
            condition ->
                "(SELECT f.*, f.xmin FROM "
                    + rows
                    + " AS f WHERE "
                    + Session.verbatim(condition)
                    + ")")
        .orElse(rows);
  }

  /** What money has everywhere but where {@code lc_monetary} says otherwise. */
  static final int USUAL_MONEY_DIGITS = 2;

  /**
   * Whether these columns' money, if they hold any, counts in one unit: a value is stored as a
   * number of its smallest unit, and only the database's locale says which that is.
   */
  static boolean sameMoney(SideCatalog one, ColumnType here, SideCatalog other, ColumnType there) {
    int digits = here.holds("money") ? one.moneyDigits : USUAL_MONEY_DIGITS;
    int others = there.holds("money") ? other.moneyDigits : USUAL_MONEY_DIGITS;
    return digits == others;
  }

  /**
   * The same with columns that are known by the source's names.
   *
   * @param names columns' names here that differ, by the source's
   */
  SideCatalog inSourceNames(Map<String, String> names) {
    if (names.isEmpty()) {
      return this;
    }
    Map<String, String> known = new TreeMap<>();
    names.forEach((here, there) -> known.put(there, here));
    List<CatalogColumn> paired = new ArrayList<>();
    List<CatalogColumn> others = new ArrayList<>();
    for (CatalogColumn column : columns) {
      if (!known.containsKey(column.own()) && names.containsKey(column.own())) {
        others.add(column);
      } else {
        paired.add(column.knownAs(known.getOrDefault(column.own(), column.own())));
      }
    }
    List<UniqueIndex> indexes =
        uniqueIndexes.stream()
            .filter(index -> others.stream().noneMatch(column -> index.has(column.own())))
            .map(index -> index.inNames(known))
            .toList();
    return new SideCatalog(
        side, table, kind, encoding, moneyDigits, access, paired, others, indexes, fingerprint);
  }

  Optional<CatalogColumn> column(String name) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst();
  }

  /** A column as an expression over alias {@code t}. */
  String sql(String name) {
    return "t." + SqlIdentifier.quoted(column(name).orElseThrow().own());
  }

  /** Whether the texts of any of these columns are names of objects. */
  boolean namesObjects(List<String> names) {
    return names.stream()
        .flatMap(name -> column(name).stream())
        .anyMatch(column -> column.type().namesObjects());
  }

  /** Whether any column holds a composite, at any depth. */
  boolean hasComposites() {
    return hasComposites(columns) || hasComposites(unpaired);
  }

  /** Whether any of these holds a composite, at any depth. */
  static boolean hasComposites(List<CatalogColumn> columns) {
    return columns.stream().anyMatch(c -> c.shape().holds(ColumnType.Kind.COMPOSITE));
  }

  /** An index that makes a lookup by exactly these columns cheap and unique. */
  Optional<UniqueIndex> usableKey(List<String> keyColumns) {
    Set<String> wanted = new TreeSet<>(keyColumns);
    return uniqueIndexes.stream()
        .filter(index -> index.unusable().isEmpty() && index.covers(wanted))
        .findFirst();
  }
}
