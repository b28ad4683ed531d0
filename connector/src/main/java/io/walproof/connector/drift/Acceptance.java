package io.walproof.connector.drift;

import io.walproof.connector.drift.AcceptedShapes.Entry;
import io.walproof.connector.schema.Diversion;
import io.walproof.connector.schema.HistoryLimits;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.connector.schema.TableHistory;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code drift.accept} does to a stored history when a capture starts; nothing is accepted at
 * any other time. Applying it again to the same stored history gives the same, so a crash before
 * the outcome is durable only repeats it; applied to the outcome it changes nothing. Pure.
 *
 * <p>One entry accepts one diversion. An entry stays in the configuration, and the shape that it
 * names may come again later: so an entry without an LSN that was there when a diversion began does
 * not end it. It does after a start without it, and the entry with the LSN does at once.
 *
 * @param history the history afterwards
 * @param events one for each table that is accepted
 * @param refused what to say of entries that do not accept a diversion of their table
 * @param idle what to say of entries whose table is not diverted
 */
public record Acceptance(
    SchemaHistory history, List<DriftEvent> events, List<String> refused, List<String> idle) {

  /** Copies. */
  public Acceptance {
    events = List.copyOf(events);
    refused = List.copyOf(refused);
    idle = List.copyOf(idle);
  }

  /**
   * Applies the setting.
   *
   * @param at where the capture starts
   * @param policy the policy in force
   */
  public static Acceptance of(
      SchemaHistory stored,
      AcceptedShapes accepted,
      HistoryLimits limits,
      Lsn at,
      DriftPolicy policy) {
    SchemaHistory history = stored;
    List<DriftEvent> events = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    List<String> idle = new ArrayList<>();
    for (Entry entry : accepted.entries()) {
      Optional<Diversion> diversion = stored.table(entry.table()).flatMap(TableHistory::diversion);
      if (diversion.isEmpty()) {
        idle.add(idle(entry));
      } else if (!entry.accepts(diversion.get())) {
        refused.add(refused(entry, diversion.get()));
      }
    }
    for (Map.Entry<String, Diversion> each : stored.diversions().entrySet()) {
      TableId table = TableId.parse(each.getKey());
      Diversion diversion = each.getValue();
      TableHistory known = history.table(table).orElseThrow();
      if (accepted.entries().stream()
          .anyMatch(entry -> entry.table().equals(table) && entry.accepts(diversion))) {
        history = history.with(table, known.with(Optional.empty()), limits);
        events.add(event(table, diversion, at, policy));
      } else if (diversion.listed() && !accepted.lists(table, diversion.awaited())) {
        history = history.with(table, known.with(Optional.of(diversion.unlisted())), limits);
      }
    }
    return new Acceptance(history, events, refused, idle);
  }

  private static String idle(Entry entry) {
    return "drift.accept has "
        + entry.table()
        + "="
        + entry.hash().hex()
        + ", and that table's records are not diverted: it was accepted before, or its change is"
        + " still to come, which this entry does not accept in advance";
  }

  private static String refused(Entry entry, Diversion diversion) {
    boolean sameShape = entry.hash().equals(diversion.awaited());
    return "drift.accept has "
        + entry.table()
        + "="
        + entry.hash().hex()
        + entry.at().map(lsn -> "@" + lsn).orElse("")
        + (sameShape
            ? ", which belongs to an earlier change to that shape"
            : ", which is not the shape that is awaited")
        + "; the table's records stay diverted. To accept its shape, set drift.accept="
        + AcceptedShapes.text(entry.table(), diversion);
  }

  private static DriftEvent event(TableId table, Diversion diversion, Lsn at, DriftPolicy policy) {
    return new DriftEvent(
        Kind.SHAPE_ACCEPTED,
        Occurrence.ACROSS_RESTART,
        Optional.of(table),
        at,
        0,
        Optional.of(diversion.previous()),
        Optional.of(diversion.awaited()),
        List.of(),
        Optional.empty(),
        policy.text(),
        DriftAction.ACCEPTED.text(),
        "the shape that came at "
            + diversion.since()
            + " was accepted by drift.accept; the table's records are no longer diverted, and those"
            + " that were are checked");
  }
}
