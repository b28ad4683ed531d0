package io.walproof.connector.catalog;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Notices tables that change by the server's statistics while the stream delivers nothing of them.
 * The statistics lag behind commits, and the stream behind the statistics; so a reading is judged
 * when the stream has passed it, against what was delivered since the reading before the one
 * before, and only two such findings in a row make a suspect.
 *
 * <p>The statistics count what was rolled back too. So a suspect is told only once a row of it was
 * seen that a committed transaction wrote since, and the stream has passed where it was seen. Pure
 * but for the question it asks, not thread-safe.
 */
final class DeliveryWatch {

  private static final int FINDINGS = 2;

  /** Readings that the stream has not passed yet; with more, the oldest are given up. */
  private static final int SAMPLES = 64;

  /** What is remembered of a reading. */
  private record Sample(
      Lsn at, long nextXid, Map<TableId, Long> changes, Map<TableId, Long> delivered) {}

  /**
   * A table that may be silent.
   *
   * @param since the first transaction that was not begun when the silence was
   * @param delivered its changes delivered until then
   * @param seen the end of the WAL when a row of such a transaction was seen
   */
  private record Suspect(long since, long delivered, Optional<Lsn> seen) {}

  private final List<Sample> samples = new ArrayList<>();
  private final Map<TableId, Integer> findings = new HashMap<>();
  private final Map<TableId, Suspect> suspects = new HashMap<>();
  private final Set<TableId> alarmed = new HashSet<>();
  private Lsn judged = Lsn.NONE;

  /**
   * Takes the next reading.
   *
   * @param reading the reading
   * @param changes each watched table's changes by the statistics
   * @param delivered each table's changes delivered so far
   * @param streamed how far the stream had come, no later than {@code delivered}
   * @param rows asked about suspects
   * @return tables that are silent and were not told before
   */
  List<TableId> next(
      CatalogReading reading,
      Map<TableId, Long> changes,
      Map<TableId, Long> delivered,
      Lsn streamed,
      CommittedRows rows)
      throws SQLException {
    int passed = samples.size() - 1;
    while (passed >= 0 && !streamed.hasPassed(samples.get(passed).at())) {
      passed--;
    }
    if (passed >= 2 && !samples.get(passed).at().equals(judged)) {
      judged = samples.get(passed).at();
      judge(passed, delivered);
      samples.subList(0, passed - 1).clear();
    }
    samples.add(
        new Sample(reading.at(), reading.nextXid(), Map.copyOf(changes), Map.copyOf(delivered)));
    if (samples.size() > SAMPLES) {
      samples.remove(0);
    }
    return silent(delivered, streamed, rows);
  }

  private void judge(int passed, Map<TableId, Long> delivered) {
    Sample sample = samples.get(passed);
    Map<TableId, Long> before = samples.get(passed - 1).changes();
    Sample quiet = samples.get(passed - 2);
    sample
        .changes()
        .forEach(
            (table, count) -> {
              long deliveredBefore = quiet.delivered().getOrDefault(table, 0L);
              if (delivered.getOrDefault(table, 0L) != deliveredBefore) {
                findings.remove(table);
                alarmed.remove(table);
              } else if (count > before.getOrDefault(table, count)
                  && findings.merge(table, 1, Integer::sum) >= FINDINGS
                  && !alarmed.contains(table)) {
                suspects.putIfAbsent(
                    table, new Suspect(quiet.nextXid(), deliveredBefore, Optional.empty()));
              }
            });
  }

  private List<TableId> silent(Map<TableId, Long> delivered, Lsn streamed, CommittedRows rows)
      throws SQLException {
    List<TableId> silent = new ArrayList<>();
    Iterator<Map.Entry<TableId, Suspect>> each = suspects.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<TableId, Suspect> entry = each.next();
      TableId table = entry.getKey();
      Suspect suspect = entry.getValue();
      if (delivered.getOrDefault(table, 0L) != suspect.delivered()) {
        each.remove();
      } else if (suspect.seen().isEmpty()) {
        entry.setValue(
            new Suspect(suspect.since(), suspect.delivered(), rows.since(table, suspect.since())));
      } else if (streamed.hasPassed(suspect.seen().get())) {
        each.remove();
        alarmed.add(table);
        silent.add(table);
      }
    }
    return silent;
  }
}
