package io.walproof.connector.engine;

import io.walproof.connector.drift.DriftAction;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.util.List;
import java.util.Optional;

/**
 * Words what a start has lost. An accepted gap: from where to where, what it concerns, and what can
 * be done about it. Where it begins is the durable position's, so that a gap that is told again is
 * recognised.
 */
final class GapEvents {

  /** So many tables are named; the rest is counted. */
  private static final int NAMED = 50;

  private final String policy;
  private final String publication;
  private final List<TableId> tables;

  /**
   * The events of one start.
   *
   * @param tables the captured tables
   */
  GapEvents(CaptureSettings settings, List<SourceTable> tables) {
    this.policy = settings.drift().policy().text();
    this.publication = settings.get("publication.name");
    this.tables = tables.stream().map(SourceTable::table).toList();
  }

  /**
   * Changes of all tables are not delivered.
   *
   * @param from what was delivered ends there
   * @param to what will be delivered begins there; the same as {@code from} if that is not known
   * @param problem why, as a sentence without an end
   */
  DriftEvent undelivered(Lsn from, Lsn to, String problem) {
    return stream(
        from, to, "changes " + range(from, to) + " may not have been delivered: " + problem);
  }

  /**
   * Nothing is missed, but some of what was delivered is not true any more.
   *
   * @param from what comes now begins there
   * @param problem what was delivered in vain, as a sentence without an end
   */
  DriftEvent diverged(Lsn from, String problem) {
    return stream(from, from, problem);
  }

  /**
   * A table was not published for a while.
   *
   * @param from since when at the earliest
   * @param to until when at the latest
   */
  DriftEvent unpublished(TableId table, Lsn from, Lsn to) {
    return event(
        Optional.of(table),
        from,
        to,
        "changes of this table "
            + range(from, to)
            + " may not have been delivered: publication.name '"
            + publication
            + "' did not have it any more");
  }

  /**
   * The slot goes on where it was, and the position with the schema history is gone.
   *
   * @param slot the slot's name
   * @param at where the slot is
   */
  DriftEvent baselineLost(String slot, Lsn at) {
    return new DriftEvent(
        Kind.BASELINE_LOST,
        Occurrence.ACROSS_RESTART,
        Optional.empty(),
        at,
        0,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        policy,
        DriftAction.REPORTED.text(),
        "slot.name '"
            + slot
            + "' and the catalog's last reading are of an earlier capture, and its position is lost,"
            + " with the schema history: the capture begins where the slot is, at "
            + at
            + ". Whether a table's shape changed before its next"
            + " change is not known: that is told as its first shape, also of tables that were"
            + " diverted");
  }

  private static String range(Lsn from, Lsn to) {
    return from.equals(to) ? "from " + from + " on" : "from " + from + " to " + to;
  }

  private DriftEvent stream(Lsn from, Lsn to, String sentence) {
    String named =
        tables.size() <= NAMED
            ? Sql.display(tables)
            : Sql.display(tables.subList(0, NAMED)) + " and " + (tables.size() - NAMED) + " more";
    return event(Optional.empty(), from, to, sentence + ". It concerns " + named);
  }

  private DriftEvent event(Optional<TableId> table, Lsn from, Lsn to, String sentence) {
    return new DriftEvent(
        Kind.GAP,
        Occurrence.ACROSS_RESTART,
        table,
        to,
        0,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        policy,
        "accepted",
        sentence
            + "; verdicts begin after it, and walproof verify-range tells whether the target has"
            + " what it missed",
        Optional.of(from));
  }
}
