package io.walproof.connector.engine;

import io.walproof.connector.drift.Acceptance;
import io.walproof.connector.drift.AcceptedShapes;
import io.walproof.connector.drift.AcceptedShapes.Entry;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.offset.Position;
import io.walproof.connector.schema.HistoryFullException;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.TableId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies {@code drift.accept} when a capture starts, and says which tables stay diverted. */
final class AcceptedStart {

  private static final Logger LOG = LoggerFactory.getLogger(AcceptedStart.class);

  private AcceptedStart() {}

  /**
   * Applies it.
   *
   * @param tables that are captured
   * @param start the position to start from
   * @throws CaptureException if an entry names a table that is neither captured nor in the history,
   *     or if what stays diverted has no room in the history
   */
  static Acceptance of(CaptureSettings settings, List<SourceTable> tables, Position start) {
    AcceptedShapes accepted = settings.drift().accepted();
    requireKnown(accepted, tables, start.history());
    Acceptance acceptance =
        Acceptance.of(
            start.history(),
            accepted,
            settings.limits(),
            start.resume(),
            settings.drift().policy());
    acceptance.idle().forEach(LOG::info);
    acceptance.refused().forEach(LOG::warn);
    acceptance
        .history()
        .diversions()
        .forEach(
            (name, diversion) ->
                LOG.warn(
                    "{}: its records are diverted until drift.accept has {}",
                    name,
                    AcceptedShapes.text(TableId.parse(name), diversion)));
    // Not before it is said what would make room.
    if (acceptance.history().exceeds(settings.limits())) {
      throw EngineFailure.of(
          new HistoryFullException(acceptance.history(), settings.limits()), settings);
    }
    acceptance.events().forEach(event -> LOG.info("{}: {}", event.table().get(), event.detail()));
    return acceptance;
  }

  private static void requireKnown(
      AcceptedShapes accepted, List<SourceTable> tables, SchemaHistory history) {
    Set<TableId> captured =
        tables.stream().map(SourceTable::table).collect(Collectors.toUnmodifiableSet());
    Map<String, ?> seen = history.tables();
    for (Entry entry : accepted.entries()) {
      TableId table = entry.table();
      if (!captured.contains(table) && !seen.containsKey(table.display())) {
        throw new CaptureException(
            Reason.SETTING,
            "drift.accept names "
                + table
                + ", which is not captured and never was: names are as in the catalog, with double"
                + " quotes where SQL needs them, and unquoted ones are folded to lower case");
      }
    }
  }
}
