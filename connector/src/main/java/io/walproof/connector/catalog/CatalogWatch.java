package io.walproof.connector.catalog;

import io.walproof.connector.drift.ChangeList;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Turns readings of the catalog into drift events, and keeps the last reading whose events were
 * delivered. One thread reads, another delivers; neither waits for what the reading one asks the
 * server. Thread-safe.
 */
public final class CatalogWatch {

  private static final String WITHOUT_FACTS =
      "; only a digest of what was known before fitted into drift.history.max.bytes, so it is not"
          + " known what changed";

  private final CatalogStore store;
  private final String publication;
  private final String policy;

  /** The reading thread's alone. */
  private final DeliveryWatch deliveries = new DeliveryWatch();

  /** The reading that the next one is compared with: its events were delivered. */
  private Map<TableId, String> baseline = Map.of();

  /** The latest reading, and what is to be told of it. */
  private Map<TableId, String> latest = Map.of();

  /** What differs between the two. */
  private List<DriftEvent> differences = List.of();

  /** The reading, and its differences, that {@link #events} gave last. */
  private Map<TableId, String> offered = Map.of();

  private List<DriftEvent> offeredDifferences = List.of();
  private final List<DriftEvent> alarms = new ArrayList<>();
  private boolean unsaved;

  /**
   * A watch.
   *
   * @param store where the last reading is kept
   * @param publication the publication's name, for the events
   * @param policy the drift policy's name, for the events
   */
  public CatalogWatch(CatalogStore store, String publication, String policy) {
    this.store = store;
    this.publication = publication;
    this.policy = policy;
  }

  /** The first reading, compared with the one that is kept from an earlier process. */
  public synchronized void first(CatalogReading reading) {
    try {
      Optional<Map<String, String>> kept = store.read();
      Map<TableId, String> before = new TreeMap<>();
      kept.orElse(Map.of()).forEach((name, facts) -> before.put(TableId.parse(name), facts));
      // What is not looked at any more was not dropped: the settings changed, or it was renamed.
      before.keySet().retainAll(reading.facts().keySet());
      differences = events(before, reading, Occurrence.ACROSS_RESTART);
    } catch (CatalogStoreException | IllegalArgumentException e) {
      differences =
          List.of(
              event(
                  Kind.CATALOG_CHANGED,
                  Occurrence.ACROSS_RESTART,
                  Optional.empty(),
                  reading.at(),
                  List.of(),
                  "the catalog's last reading is lost, so what changed in it since then and does not"
                      + " show in the stream is not known: "
                      + e.getMessage()));
    }
    latest = reading.facts();
    unsaved = true;
  }

  /**
   * A later reading. Reading thread.
   *
   * @param delivered each table's changes delivered so far
   * @param streamed how far the stream had come, no later than {@code delivered}
   * @param rows asked about tables of which nothing arrives
   */
  public void next(
      CatalogReading reading, Map<TableId, Long> delivered, Lsn streamed, CommittedRows rows)
      throws SQLException {
    compare(reading);
    List<DriftEvent> found = new ArrayList<>();
    for (TableId table : deliveries.next(reading, judged(reading), delivered, streamed, rows)) {
      found.add(silent(table, reading.at()));
    }
    raise(found);
  }

  private synchronized void compare(CatalogReading reading) {
    differences = events(baseline, reading, Occurrence.IN_PROCESS);
    unsaved |= !reading.facts().equals(baseline);
    latest = reading.facts();
  }

  private synchronized void raise(List<DriftEvent> found) {
    alarms.addAll(found);
  }

  /** What is to be told, until {@link #delivered} says that it was. */
  public synchronized List<DriftEvent> events() {
    offered = latest;
    offeredDifferences = differences;
    List<DriftEvent> all = new ArrayList<>(differences);
    all.addAll(alarms);
    if (!all.isEmpty()) {
      store.offered(named(offered));
    }
    return all;
  }

  /**
   * The events were delivered. Makes the reading behind them the one to compare with, also for
   * later processes.
   *
   * @param told what {@link #events} gave
   * @throws CatalogStoreException if the reading cannot be kept
   */
  public synchronized void delivered(List<DriftEvent> told) {
    alarms.removeAll(told);
    if (!told.containsAll(offeredDifferences)) {
      return;
    }
    baseline = offered;
    // A reading that came meanwhile was compared with an older one: the next is compared anew, and
    // until then there is nothing to offer that would make it the baseline untold.
    differences = List.of();
    latest = offered;
    if (unsaved) {
      store.write(named(baseline));
      unsaved = false;
    }
  }

  private static Map<String, String> named(Map<TableId, String> reading) {
    Map<String, String> facts = new HashMap<>();
    reading.forEach((table, text) -> facts.put(table.display(), text));
    return facts;
  }

  /** Changes outside of a filter, and of a table that is not published, are not to be delivered. */
  private static Map<TableId, Long> judged(CatalogReading reading) {
    Map<TableId, Long> judged = new HashMap<>();
    reading
        .changes()
        .forEach(
            (table, count) -> {
              String facts = reading.facts().get(table);
              if (facts != null) {
                TableFacts parsed = TableFacts.parse(facts);
                if (parsed.published() && parsed.rowFilter().isEmpty()) {
                  judged.put(table, count);
                }
              }
            });
    return judged;
  }

  private List<DriftEvent> events(
      Map<TableId, String> before, CatalogReading reading, Occurrence occurrence) {
    List<DriftEvent> events = new ArrayList<>();
    CatalogComparison.between(before, reading.facts())
        .forEach(
            (table, changes) -> {
              events.add(
                  event(
                      Kind.CATALOG_CHANGED,
                      occurrence,
                      Optional.of(table),
                      reading.at(),
                      changes,
                      "seen in the catalog at "
                          + reading.at()
                          + (changes.isEmpty() ? WITHOUT_FACTS : "")
                          + "; the stream does not show it, so it is not known with which change it"
                          + " began"));
              unpublished(changes)
                  .ifPresent(
                      gap ->
                          events.add(
                              event(
                                  Kind.GAP,
                                  occurrence,
                                  Optional.of(table),
                                  reading.at(),
                                  List.of(),
                                  gap)));
            });
    return events;
  }

  private Optional<String> unpublished(List<ColumnChange> changes) {
    return changes.stream()
        .filter(change -> change.what() == What.PUBLISHED)
        .findFirst()
        .map(
            change ->
                change.after().equals(CatalogComparison.PUBLISHED)
                    ? "publication.name '"
                        + publication
                        + "' carries this table again; what was changed in it while it did not was"
                        + " not delivered and is not checked"
                    : "publication.name '"
                        + publication
                        + "' does not carry this table any more; its changes are not delivered and"
                        + " not checked until it does. Add it with ALTER PUBLICATION ... ADD TABLE,"
                        + " or exclude it with table.exclude.list");
  }

  private DriftEvent silent(TableId table, Lsn at) {
    return event(
        Kind.NOTHING_DELIVERED,
        Occurrence.IN_PROCESS,
        Optional.of(table),
        at,
        List.of(),
        "by the server's statistics and its rows this table keeps changing, and nothing of it was"
            + " delivered up to "
            + at
            + ": publication.name '"
            + publication
            + "' may publish only some operations");
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
