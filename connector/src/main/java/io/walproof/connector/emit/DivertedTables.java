package io.walproof.connector.emit;

import io.walproof.connector.drift.AcceptedShapes;
import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.relation.Relation;
import io.walproof.connector.schema.Diversion;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The tables whose records are diverted ({@code drift.policy=dlq}), by what the history says of
 * them, kept apart so that a change costs one look into a small map, and nothing where it is empty.
 * As many as there are tables. Belongs to the ledger's thread.
 *
 * <p>The rules: a table is diverted from the change on that decided its drift, that change
 * included, whatever shape the later ones have. One more change of its shape is drift again, and
 * from then on only the newest shape can be accepted; the accepted one coming back is such a change
 * too. Changes that come again are diverted if they were before.
 */
final class DivertedTables {

  /**
   * @param stored whether the start found it, rather than this process began it
   */
  private record Entry(Diversion diversion, ChangeOrdinal begin, boolean stored) {}

  private final Map<TableId, Entry> tables = new HashMap<>();
  private final AcceptedShapes accepted;

  /** The last decided change when this was made: what comes after it is no repetition. */
  private final ChangeOrdinal decidedAtStart;

  DivertedTables(SchemaHistory history, ChangeOrdinal decided, AcceptedShapes accepted) {
    this.accepted = accepted;
    this.decidedAtStart = decided;
    history
        .diversions()
        .forEach((name, diversion) -> tables.put(TableId.parse(name), entry(diversion, true)));
  }

  /** Notes that a change diverts its table, or that a diverted one has one more shape. */
  Diversion divert(Relation relation, ChangeOrdinal at, ShapeHash previous) {
    TableId table = relation.shape().table();
    boolean listed = accepted.lists(table, relation.hash());
    Entry known = tables.get(table);
    Diversion diversion =
        known == null
            ? new Diversion(at.toString(), previous, relation.hash(), at.lsn(), listed)
            : known.diversion().awaiting(relation.hash(), at.lsn(), listed);
    tables.put(table, entry(diversion, known != null && known.stored()));
    return diversion;
  }

  /**
   * The diversion that a change belongs to. What the start had not seen is diverted wherever it
   * lies: behind a gap the stream may be another one.
   */
  Optional<Diversion> of(TableId table, Optional<ChangeOrdinal> at) {
    if (tables.isEmpty()) {
      return Optional.empty();
    }
    Entry entry = tables.get(table);
    if (entry == null) {
      return Optional.empty();
    }
    boolean before =
        at.isPresent()
            && at.get().compareTo(entry.begin()) < 0
            && (!entry.stored() || at.get().compareTo(decidedAtStart) <= 0);
    return before ? Optional.empty() : Optional.of(entry.diversion());
  }

  private static Entry entry(Diversion diversion, boolean stored) {
    return new Entry(diversion, ChangeOrdinal.parse(diversion.begin()), stored);
  }
}
