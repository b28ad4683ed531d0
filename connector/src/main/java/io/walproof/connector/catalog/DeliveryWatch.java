package io.walproof.connector.catalog;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Notices tables that change by the server's statistics while the stream delivers nothing of them.
 * The statistics lag behind commits, and the stream behind the statistics; so a reading is judged
 * when the stream has passed it, against what was delivered since the reading before the one
 * before, and only two such findings in a row are an alarm. Pure, not thread-safe.
 */
final class DeliveryWatch {

  private static final int FINDINGS = 2;

  /** Readings that the stream has not passed yet; with more, the oldest are given up. */
  private static final int SAMPLES = 64;

  private record Sample(Lsn at, Map<TableId, Long> changes, Map<TableId, Long> delivered) {}

  private final List<Sample> samples = new ArrayList<>();
  private final Map<TableId, Integer> findings = new HashMap<>();
  private final Set<TableId> alarmed = new HashSet<>();
  private Lsn judged = Lsn.NONE;

  /**
   * Takes the next reading.
   *
   * @param at the end of the WAL at the reading
   * @param changes each watched table's changes by the statistics
   * @param delivered each table's changes delivered so far
   * @param streamed how far the stream has come
   * @return tables that are silent and were not told before
   */
  List<TableId> next(
      Lsn at, Map<TableId, Long> changes, Map<TableId, Long> delivered, Lsn streamed) {
    List<TableId> silent = new ArrayList<>();
    int passed = samples.size() - 1;
    while (passed >= 0 && !streamed.hasPassed(samples.get(passed).at())) {
      passed--;
    }
    if (passed >= 2 && !samples.get(passed).at().equals(judged)) {
      judged = samples.get(passed).at();
      judge(passed, delivered, silent);
      samples.subList(0, passed - 1).clear();
    }
    samples.add(new Sample(at, Map.copyOf(changes), Map.copyOf(delivered)));
    if (samples.size() > SAMPLES) {
      samples.remove(0);
    }
    return silent;
  }

  private void judge(int passed, Map<TableId, Long> delivered, List<TableId> silent) {
    Sample sample = samples.get(passed);
    Map<TableId, Long> before = samples.get(passed - 1).changes();
    Map<TableId, Long> deliveredBefore = samples.get(passed - 2).delivered();
    sample
        .changes()
        .forEach(
            (table, count) -> {
              if (!delivered
                  .getOrDefault(table, 0L)
                  .equals(deliveredBefore.getOrDefault(table, 0L))) {
                findings.remove(table);
                alarmed.remove(table);
              } else if (count > before.getOrDefault(table, count)
                  && findings.merge(table, 1, Integer::sum) >= FINDINGS
                  && alarmed.add(table)) {
                silent.add(table);
              }
            });
  }
}
