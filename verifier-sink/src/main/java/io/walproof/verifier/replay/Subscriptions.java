package io.walproof.verifier.replay;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.row.TargetNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the target says of its subscriptions at one moment.
 *
 * @param all those of its database that the settings let count
 * @param coverage per table; a table without entry is not carried at all
 */
record Subscriptions(List<Subscription> all, Map<TableId, TableCoverage> coverage) {

  /**
   * One subscription.
   *
   * @param oid its OID on the target
   * @param name its name
   * @param enabled whether its applier is meant to run
   * @param slot the slot's name on the publisher, if it has one
   * @param received how far its running applier has received, if it runs
   */
  record Subscription(
      String oid, String name, boolean enabled, Optional<String> slot, Optional<Lsn> received) {}

  /**
   * Reads it on the target.
   *
   * @param tables by the source's names, as the coverage names them too
   * @param names what the target calls them: whether a subscription writes into another table says
   *     nothing, because what copies from there is no part of replay
   */
  static Subscriptions read(
      Session session, Optional<String> only, List<TableId> tables, TargetNames names)
      throws SQLException {
    List<Subscription> all =
        session.query(
            SubscriptionSql.SUBSCRIPTIONS, Session.Parameters.NONE, rows -> list(rows, only));
    List<TableId> asked = tables.stream().filter(t -> names.table(t).isPresent()).toList();
    List<TableId> there = asked.stream().map(t -> names.table(t).orElseThrow()).toList();
    Map<TableId, TableCoverage> coverage =
        session.query(
            SubscriptionSql.COVERAGE,
            binder -> {
              binder.texts(there.stream().map(TableId::schema).toArray(String[]::new));
              binder.texts(there.stream().map(TableId::name).toArray(String[]::new));
            },
            rows -> coverage(rows, asked, all));
    return new Subscriptions(all, coverage);
  }

  /** The slots of the source's database by name; read on the source. */
  static Slots readSlots(Session session) throws SQLException {
    return session.query(
        SubscriptionSql.SLOTS,
        Session.Parameters.NONE,
        rows -> {
          Map<String, Lsn> confirmed = new TreeMap<>();
          Lsn ends = Lsn.NONE;
          while (rows.next()) {
            String flushed = rows.getString(2);
            confirmed.put(rows.getString(1), flushed == null ? Lsn.NONE : Lsn.parse(flushed));
            ends = Lsn.parse(rows.getString(3));
          }
          return new Slots(confirmed, ends);
        });
  }

  /**
   * What the source says.
   *
   * @param confirmed each slot's confirmed_flush_lsn
   * @param ends the end of the source's WAL at that moment
   */
  record Slots(Map<String, Lsn> confirmed, Lsn ends) {}

  private static List<Subscription> list(ResultSet rows, Optional<String> only)
      throws SQLException {
    List<Subscription> all = new ArrayList<>();
    while (rows.next()) {
      String name = rows.getString(2);
      if (only.isEmpty() || only.get().equals(name)) {
        all.add(
            new Subscription(
                rows.getString(1),
                name,
                rows.getBoolean(3),
                Optional.ofNullable(rows.getString(4)),
                Optional.ofNullable(rows.getString(5)).map(Lsn::parse)));
      }
    }
    return all;
  }

  private static Map<TableId, TableCoverage> coverage(
      ResultSet rows, List<TableId> tables, List<Subscription> counted) throws SQLException {
    Map<TableId, TableCoverage> coverage = new HashMap<>();
    while (rows.next()) {
      String subscription = rows.getString(3);
      boolean counts =
          subscription == null || counted.stream().anyMatch(s -> s.oid().equals(subscription));
      if (counts) {
        coverage
            .computeIfAbsent(tables.get(rows.getInt(1) - 1), table -> new TableCoverage())
            .add(rows.getString(2), subscription, rows.getString(4));
      }
    }
    return coverage;
  }
}
