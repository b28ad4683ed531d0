package io.walproof.connector.catalog;

import io.walproof.connector.catalog.CatalogDifference.Loss;
import io.walproof.connector.catalog.TableFacts.ColumnFacts;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What differs between two readings of the catalog and would not show, or not as what it is, in the
 * stream. Left out: NOT NULL and defaults, which change no meaning of a row, and everything that a
 * RELATION message tells. Pure.
 */
final class CatalogComparison {

  /** Lists are shown up to this length. */
  private static final int SHOWN = 200;

  private static final String PUBLISHED = "published";

  private CatalogComparison() {}

  /** The differences by table; tables that are new are a baseline and have none. */
  static Map<TableId, CatalogDifference> between(
      Map<TableId, String> before, Map<TableId, String> after) {
    Map<TableId, CatalogDifference> differences = new TreeMap<>();
    before.forEach(
        (table, old) -> {
          CatalogDifference difference = compare(old, after.getOrDefault(table, TableFacts.GONE));
          if (!difference.isEmpty()) {
            differences.put(table, difference);
          }
        });
    return differences;
  }

  /** What differs in the operations that the publication carries. */
  static Optional<ColumnChange> operations(
      Map<TableId, String> before, Map<TableId, String> after) {
    for (Map.Entry<TableId, String> entry : before.entrySet()) {
      String old = entry.getValue();
      String now = after.getOrDefault(entry.getKey(), old);
      // What has not changed is mostly all, and is not taken apart.
      if (!old.equals(now) && !FactsDigest.is(old)) {
        Optional<String> was = TableFacts.parse(old).publication().operations();
        Optional<String> is = TableFacts.parse(now).publication().operations();
        if (was.isPresent() && is.isPresent() && !was.equals(is)) {
          return Optional.of(change("", What.PUBLISHED_OPERATIONS, was.get(), is.get()));
        }
      }
    }
    return Optional.empty();
  }

  private static CatalogDifference compare(String old, String now) {
    List<ColumnChange> changes = new ArrayList<>();
    if (old.equals(now)) {
      return new CatalogDifference(changes, true, Optional.empty());
    }
    if (now.equals(TableFacts.GONE)) {
      changes.add(change("", What.TABLE, "exists", "dropped or renamed"));
      return new CatalogDifference(changes, true, Optional.empty());
    }
    TableFacts after = TableFacts.parse(now);
    PublicationFacts publication = after.publication();
    if (old.equals(TableFacts.GONE)) {
      changes.add(change("", What.TABLE, "dropped or renamed", "exists"));
      return new CatalogDifference(
          changes, true, Optional.of(publication.published() ? Loss.EXISTS_AGAIN : Loss.LEFT));
    }
    if (FactsDigest.is(old)) {
      Optional<FactsDigest> digest = FactsDigest.parse(old);
      Optional<Loss> loss =
          digest.flatMap(
              kept -> membership(kept.published(), kept.members(), publication, changes));
      return new CatalogDifference(changes, digest.isEmpty() || digest.get().isSame(after), loss);
    }
    TableFacts before = TableFacts.parse(old);
    compare(before, after, changes);
    Optional<Loss> loss =
        membership(
            before.publication().published(), before.publication().members(), publication, changes);
    return new CatalogDifference(
        changes, true, loss.or(() -> names(before.publication(), after.publication(), changes)));
  }

  /** Adds under which names the rows come that the publication carries before and after. */
  private static Optional<Loss> names(
      PublicationFacts was, PublicationFacts is, List<ColumnChange> changes) {
    boolean comparable = was.published() && is.published() && was.viaRoot().isPresent();
    if (!comparable || is.viaRoot().isEmpty() || was.viaRoot().equals(is.viaRoot())) {
      return Optional.empty();
    }
    changes.add(change("", What.PUBLISHED_AS, as(was), as(is)));
    if (is.elsewhere()) {
      return Optional.of(Loss.ELSEWHERE);
    }
    return was.elsewhere() ? Optional.of(Loss.CAPTURED_AGAIN) : Optional.empty();
  }

  private static String as(PublicationFacts facts) {
    return facts.viaRoot().orElseThrow() ? "partition root" : "partitions";
  }

  /** Adds what became of the table's place in the publication. */
  private static Optional<Loss> membership(
      boolean wasPublished, List<Long> members, PublicationFacts now, List<ColumnChange> changes) {
    if (wasPublished != now.published()) {
      changes.add(change("", What.PUBLISHED, yesNo(wasPublished), yesNo(now.published())));
      return Optional.of(now.published() ? Loss.RETURNED : Loss.LEFT);
    }
    if (now.published() && PublicationFacts.isAnew(members, now.members())) {
      changes.add(change("", What.PUBLISHED, PUBLISHED, PUBLISHED + " anew"));
      return Optional.of(Loss.ANEW);
    }
    return Optional.empty();
  }

  private static void compare(TableFacts before, TableFacts after, List<ColumnChange> changes) {
    boolean sameTable = before.oid() == after.oid();
    before
        .columns()
        .forEach(
            (name, old) -> {
              ColumnFacts now = after.columns().get(name);
              if (now != null) {
                compare(name, old, now, sameTable, changes);
              }
            });
    key(before, after, changes);
    PublicationFacts was = before.publication();
    PublicationFacts is = after.publication();
    if (was.published() == is.published()) {
      differs(changes, What.PUBLISHED_COLUMNS, was.columns(), is.columns());
      if (!was.rowFilter().equals(is.rowFilter())) {
        changes.add(change("", What.ROW_FILTER, was.rowFilter(), is.rowFilter()));
      }
    }
    partitions(before.partitions(), after.partitions(), changes);
  }

  /**
   * The order of a key's columns is in no message. Which they are is not either where all columns
   * are flagged, or none; another identity is told by the stream, also where it moves the key.
   */
  private static void key(TableFacts before, TableFacts after, List<ColumnChange> changes) {
    Set<String> was = new LinkedHashSet<>(before.key());
    Set<String> is = new LinkedHashSet<>(after.key());
    if (!was.equals(is)) {
      if (before.keyIsPrimary() && !after.streamTellsKey()) {
        was.stream()
            .filter(column -> !is.contains(column))
            .forEach(column -> changes.add(change(column, What.KEY, "key", "not key")));
        is.stream()
            .filter(column -> !was.contains(column))
            .forEach(column -> changes.add(change(column, What.KEY, "not key", "key")));
      }
    } else if (!before.key().equals(after.key())) {
      changes.add(change("", What.KEY_ORDER, list(before.key()), list(after.key())));
    }
  }

  private static void compare(
      String name, ColumnFacts old, ColumnFacts now, boolean sameTable, List<ColumnChange> into) {
    if (sameTable && old.number() != now.number()) {
      into.add(
          change(name, What.REPLACED, "column number " + old.number(), "number " + now.number()));
    }
    boolean userTypes = old.typeOid() != 0 && now.typeOid() != 0;
    if (userTypes && old.typeOid() != now.typeOid()) {
      into.add(
          change(
              name,
              What.TYPE_REPLACED,
              old.type() + " (OID " + old.typeOid() + ")",
              now.type() + " (OID " + now.typeOid() + ")"));
    } else if (old.typeOid() == now.typeOid()) {
      compare(name, What.ENUM_LABELS, old.labels(), now.labels(), into);
      compare(name, What.DOMAIN_RULES, old.rules(), now.rules(), into);
    }
    if (old.type().equals(now.type()) && !old.collation().equals(now.collation())) {
      into.add(change(name, What.COLLATION, old.collation(), now.collation()));
    }
    if (!old.generated().equals(now.generated())) {
      into.add(change(name, What.GENERATED, generated(old), generated(now)));
    }
  }

  private static void compare(
      String name, What what, List<String> old, List<String> now, List<ColumnChange> into) {
    if (!old.equals(now)) {
      into.add(change(name, what, list(old), list(now)));
    }
  }

  private static void differs(
      List<ColumnChange> into, What what, List<String> old, List<String> now) {
    if (!old.equals(now)) {
      into.add(change("", what, orAll(old), orAll(now)));
    }
  }

  private static void partitions(
      List<String> before, List<String> after, List<ColumnChange> changes) {
    List<String> gone = without(before, after);
    List<String> come = without(after, before);
    if (!gone.isEmpty()) {
      changes.add(change("", What.PARTITIONS, "attached: " + list(gone), "detached"));
    }
    if (!come.isEmpty()) {
      changes.add(change("", What.PARTITIONS, "", "attached: " + list(come)));
    }
  }

  private static List<String> without(List<String> all, Collection<String> others) {
    List<String> left = new ArrayList<>(all);
    left.removeAll(others);
    return left;
  }

  private static ColumnChange change(String column, What what, String before, String after) {
    return new ColumnChange(column, what, before, after, false);
  }

  private static String yesNo(boolean published) {
    return published ? PUBLISHED : "not " + PUBLISHED;
  }

  private static String generated(ColumnFacts column) {
    return switch (column.generated()) {
      case "" -> "plain";
      case "s" -> "generated, stored";
      default -> "generated, virtual";
    };
  }

  private static String orAll(List<String> columns) {
    return columns.isEmpty() ? "all columns" : list(columns);
  }

  private static String list(List<String> items) {
    String text = String.join(", ", items);
    return text.length() <= SHOWN
        ? text
        : text.substring(0, SHOWN) + "... (" + items.size() + " in all)";
  }
}
