package io.walproof.connector.engine;

import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.schema.SchemaHistory;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether the schema history can hold what it never gives up: the newest hash of every table. Found
 * out before anything is changed or delivered.
 */
final class HistoryRoom {

  private HistoryRoom() {}

  /**
   * Checks.
   *
   * @param included the captured tables; partitions may come under their root's name, and are left
   *     out where that is captured too
   * @param stored the history so far, which keeps its tables
   * @throws CaptureException if there are too many tables, naming the setting to raise
   */
  static void check(CaptureSettings settings, List<SourceTable> included, SchemaHistory stored) {
    Set<String> names = new TreeSet<>(stored.tables().keySet());
    PublicationContents.withoutPartitionsOf(included, true)
        .forEach(table -> names.add(table.table().display()));
    long least = SchemaHistory.leastBytes(names);
    int most = settings.historyMaxBytes();
    if (least > most) {
      throw new CaptureException(
          Reason.TABLE,
          "drift.history.max.bytes="
              + most
              + " has no room for the shapes of "
              + names.size()
              + " tables, whose newest hashes alone may take "
              + least
              + " bytes; raise it to "
              + least
              + " or more, or include fewer tables (table.include.list). In Connect every offset"
              + " holds the history as a JSON string, so the offsets topic's max.message.bytes, and"
              + " producer.max.request.size of the workers, must allow half as much again");
    }
  }
}
