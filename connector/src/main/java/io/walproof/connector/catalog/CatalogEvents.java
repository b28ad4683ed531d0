package io.walproof.connector.catalog;

import io.walproof.connector.catalog.CatalogDifference.Loss;
import io.walproof.connector.drift.ChangeList;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Words what the catalog shows as drift events. Pure. */
final class CatalogEvents {

  /** A truncation changes no key that is checked. */
  private static final Set<String> ROW_OPERATIONS = Set.of("insert", "update", "delete");

  private static final String WITHOUT_FACTS =
      "; only a digest of what was known before fitted into drift.history.max.bytes, so it is not"
          + " known what changed";

  private final String publication;
  private final String policy;

  /**
   * Events.
   *
   * @param publication the publication's name
   * @param policy the drift policy's name
   */
  CatalogEvents(String publication, String policy) {
    this.publication = publication;
    this.policy = policy;
  }

  /**
   * What differs between two readings.
   *
   * @param before the facts of the reading before
   * @param told tables whose loss is told by somebody else
   */
  List<DriftEvent> between(
      Map<TableId, String> before,
      CatalogReading reading,
      Occurrence occurrence,
      Set<TableId> told) {
    List<DriftEvent> events = new ArrayList<>();
    CatalogComparison.operations(before, reading.facts())
        .ifPresent(change -> operations(change, reading.at(), occurrence, events));
    CatalogComparison.between(before, reading.facts())
        .forEach(
            (table, difference) -> {
              events.add(
                  event(
                      Kind.CATALOG_CHANGED,
                      occurrence,
                      Optional.of(table),
                      reading.at(),
                      difference.changes(),
                      seen(reading.at(), difference.complete() ? "" : WITHOUT_FACTS)));
              difference
                  .loss()
                  .filter(loss -> !told.contains(table))
                  .ifPresent(
                      loss ->
                          events.add(
                              event(
                                  Kind.GAP,
                                  occurrence,
                                  Optional.of(table),
                                  reading.at(),
                                  List.of(),
                                  sentence(loss, difference.changes()))));
            });
    return events;
  }

  private static String seen(Lsn at, String more) {
    return "seen in the catalog at "
        + at
        + more
        + "; the stream does not show it, so it is not known with which change it began";
  }

  /** One publication carries all tables, so it is told once and not of each. */
  private void operations(
      ColumnChange change, Lsn at, Occurrence occurrence, List<DriftEvent> events) {
    events.add(
        event(
            Kind.CATALOG_CHANGED, occurrence, Optional.empty(), at, List.of(change), seen(at, "")));
    Set<String> was = rowOperations(change.before());
    Set<String> is = rowOperations(change.after());
    List<String> sentences = new ArrayList<>();
    if (!is.containsAll(was)) {
      sentences.add(
          name()
              + " does not publish every "
              + without(was, is)
              + " any more; such changes of the captured tables are not delivered and not checked"
              + " until it does: run ALTER PUBLICATION "
              + SqlIdentifier.quoted(publication)
              + " SET (publish = 'insert, update, delete, truncate')");
    }
    if (!was.containsAll(is)) {
      sentences.add(
          name()
              + " publishes every "
              + without(is, was)
              + " again; such changes of the captured tables that were made while it did not were"
              + " not delivered and are not checked");
    }
    if (!sentences.isEmpty()) {
      events.add(
          event(
              Kind.GAP, occurrence, Optional.empty(), at, List.of(), String.join("; ", sentences)));
    }
  }

  private static Set<String> rowOperations(String text) {
    Set<String> operations = new LinkedHashSet<>(List.of(text.split(", ")));
    operations.retainAll(ROW_OPERATIONS);
    return operations;
  }

  private static String without(Set<String> all, Set<String> others) {
    return all.stream()
        .filter(operation -> !others.contains(operation))
        .collect(Collectors.joining(" and "));
  }

  /** The reading that was kept cannot be used. */
  DriftEvent lost(Lsn at, String why) {
    return event(
        Kind.CATALOG_CHANGED,
        Occurrence.ACROSS_RESTART,
        Optional.empty(),
        at,
        List.of(),
        "the catalog's last reading is lost, so what changed in it since then and does not show in"
            + " the stream is not known: "
            + why);
  }

  /** A table changes, and nothing of it arrives. */
  DriftEvent silent(TableId table, Lsn at) {
    return event(
        Kind.NOTHING_DELIVERED,
        Occurrence.IN_PROCESS,
        Optional.of(table),
        at,
        List.of(),
        "by the server's statistics and its rows this table keeps changing, and nothing of it was"
            + " delivered up to "
            + at
            + ": "
            + name()
            + " may publish only some operations");
  }

  private String sentence(Loss loss, List<ColumnChange> changes) {
    return switch (loss) {
      case LEFT ->
          name()
              + " does not carry this table any more; its changes are not delivered and not checked"
              + " until it does. Add it with ALTER PUBLICATION ... ADD TABLE, or exclude it with"
              + " table.exclude.list";
      case RETURNED ->
          name()
              + " carries this table again; what was changed in it while it did not was not"
              + " delivered and is not checked";
      case ANEW ->
          name()
              + " carries this table anew: it was taken out and added again, or dropped and created"
              + " again; what was changed in it meanwhile may not have been delivered and is not"
              + " checked"
              + (changes.stream().anyMatch(CatalogEvents::isOfOptions)
                  ? ". Another row filter or column list is set in the same way, and where one"
                      + " statement or transaction did it, nothing was missed meanwhile"
                  : "");
      case ELSEWHERE ->
          name()
              + " publishes changes of this table under the "
              + (published(changes, "partitions")
                  ? "names of its partitions"
                  : "name of its partition root")
              + " now, and not all of these are captured; such changes are not delivered and not"
              + " checked. Set publish_via_partition_root as it was, or include them with"
              + " table.include.list";
      case CAPTURED_AGAIN ->
          name()
              + " publishes changes of this table under captured names again; what was changed"
              + " while it did not may not have been delivered and is not checked";
      case EXISTS_AGAIN ->
          "a table of this name exists again, and "
              + name()
              + " carries it; what was changed in it before that was not delivered and is not"
              + " checked";
    };
  }

  private static boolean published(List<ColumnChange> changes, String as) {
    return changes.stream()
        .anyMatch(change -> change.what() == What.PUBLISHED_AS && change.after().equals(as));
  }

  private static boolean isOfOptions(ColumnChange change) {
    return change.what() == What.ROW_FILTER || change.what() == What.PUBLISHED_COLUMNS;
  }

  private String name() {
    return "publication.name '" + publication + "'";
  }

  private DriftEvent event(
      Kind kind,
      Occurrence occurrence,
      Optional<TableId> table,
      Lsn at,
      List<ColumnChange> all,
      String detail) {
    List<ColumnChange> changes = ChangeList.fitting(all);
    return new DriftEvent(
        kind,
        occurrence,
        table,
        at,
        0,
        Optional.empty(),
        Optional.empty(),
        changes,
        Optional.empty(),
        policy,
        "reported",
        detail + ChangeList.leftOut(changes.size(), all.size()));
  }
}
