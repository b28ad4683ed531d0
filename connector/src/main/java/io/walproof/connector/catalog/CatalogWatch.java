package io.walproof.connector.catalog;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Turns readings of the catalog into drift events, and keeps the last reading whose events were
 * delivered. One thread reads, another delivers; neither waits for what the reading one asks the
 * server. Thread-safe.
 */
public final class CatalogWatch {

  private final CatalogStore store;
  private final CatalogEvents words;

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
    this.words = new CatalogEvents(publication, policy);
  }

  /**
   * The first reading, compared with the one that is kept from an earlier process.
   *
   * @param included whether the settings still include a table that is not in the reading
   * @param told tables of which the start tells itself that changes were lost
   */
  public synchronized void first(
      CatalogReading reading, Predicate<TableId> included, Set<TableId> told) {
    try {
      Map<TableId, String> before = new TreeMap<>();
      store
          .read()
          .orElse(Map.of())
          .forEach((name, facts) -> before.put(TableId.parse(name), facts));
      // What is not included any more was not dropped, and that a table is gone is told once.
      before
          .entrySet()
          .removeIf(
              entry ->
                  !reading.facts().containsKey(entry.getKey())
                      && (entry.getValue().equals(TableFacts.GONE)
                          || !included.test(entry.getKey())));
      differences = words.between(before, reading, Occurrence.ACROSS_RESTART, told);
    } catch (CatalogStoreException | IllegalArgumentException e) {
      differences = List.of(words.lost(reading.at(), e.getMessage()));
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
      found.add(words.silent(table, reading.at()));
    }
    raise(found);
  }

  private synchronized void compare(CatalogReading reading) {
    differences = words.between(baseline, reading, Occurrence.IN_PROCESS, Set.of());
    Map<TableId, String> facts = new TreeMap<>(reading.facts());
    // A table that comes back was not published meanwhile.
    baseline.keySet().forEach(table -> facts.putIfAbsent(table, TableFacts.GONE));
    unsaved |= !facts.equals(baseline);
    latest = facts;
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
                PublicationFacts publication = TableFacts.parse(facts).publication();
                if (publication.published() && publication.rowFilter().isEmpty()) {
                  judged.put(table, count);
                }
              }
            });
    return judged;
  }
}
