package io.walproof.connector.engine;

import io.debezium.jdbc.JdbcConfiguration;
import io.walproof.connector.catalog.CatalogQuery;
import io.walproof.connector.catalog.CatalogReading;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.engine.ServerCheck.Server;
import io.walproof.connector.offset.Position;
import io.walproof.connector.relation.TappingConnectionFactory;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that must be so on the source before Debezium starts, checked and where allowed made
 * so by ourselves: server, role, tables, publication, then the slot.
 */
final class SourcePreparation {

  private static final Logger LOG = LoggerFactory.getLogger(SourcePreparation.class);

  private SourcePreparation() {}

  /**
   * What was found.
   *
   * @param server the server
   * @param start where to start
   * @param unpublished gaps of single tables that were accepted
   * @param tables the tables that are captured
   * @param catalog what the catalog says of them
   */
  record Prepared(
      Server server,
      SlotSetup.Start start,
      List<DriftEvent> unpublished,
      List<SourceTable> tables,
      CatalogReading catalog) {

    /** Whether anything is lost that must be told. */
    boolean hasGaps() {
      return start.gap().isPresent() || !unpublished.isEmpty();
    }
  }

  /**
   * Prepares.
   *
   * @param stored the durable position
   * @throws CaptureException naming what is not as it must be
   */
  static Prepared prepare(CaptureSettings settings, Optional<Position> stored, Time time) {
    try (Connection connection = connect(settings)) {
      Server server = ServerCheck.check(connection, settings);
      List<SourceTable> included = SourceCatalog.included(connection, settings);
      DebeziumLimits.check(connection, included);
      PublicationSetup publication = new PublicationSetup(connection, settings);
      SlotSetup slot = new SlotSetup(connection, settings, server, time);
      slot.awaitFree();
      boolean unpublished = !publication.exists();
      if (unpublished) {
        slot.refuseUnpublishedChanges();
      }
      List<DriftEvent> gaps = new ArrayList<>();
      if (!unpublished
          && stored.isEmpty()
          && publication.isNewerThan(settings.slotName())
          && !settings.readsSnapshot()) {
        gaps.add(slot.mayBeUnpublished());
      }
      List<TableId> lapsed =
          publication.ensure(
              included, stored.map(Position::history).orElseGet(SchemaHistory::empty));
      publication.changes().ifPresent(change -> LOG.info("Ran on the source: {}", change));
      publication.warnings().forEach(LOG::warn);
      SlotSetup.Start start = unpublished ? slot.replace(stored) : slot.prepare(stored);
      Lsn from = stored.map(Position::resume).orElse(Lsn.NONE);
      lapsed.forEach(table -> gaps.add(unpublished(settings, table, from)));
      return new Prepared(
          server, start, gaps, included, readCatalog(connection, settings, included));
    } catch (SQLException e) {
      throw SourceError.query(e, "preparing the source");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CaptureException(Reason.TIMEOUT, "interrupted while waiting for the slot", e);
    }
  }

  /** One statement for all tables. */
  static CatalogReading readCatalog(
      Connection connection, CaptureSettings settings, List<SourceTable> tables)
      throws SQLException {
    return CatalogQuery.read(
        connection,
        tables.stream().map(SourceTable::table).toList(),
        settings.get("publication.name"));
  }

  private static DriftEvent unpublished(CaptureSettings settings, TableId table, Lsn from) {
    return new DriftEvent(
        Kind.GAP,
        Occurrence.ACROSS_RESTART,
        Optional.of(table),
        from,
        0,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        settings.drift().policy().text(),
        "accepted",
        "changes of this table since "
            + from
            + " may not have been delivered: publication.name '"
            + settings.get("publication.name")
            + "' did not have it any more");
  }

  /** An ordinary connection to the source with bounded statements. */
  static Connection connect(CaptureSettings settings) {
    JdbcConfiguration jdbc = settings.connectorConfig().getJdbcConfig();
    Connection connection;
    try {
      connection =
          TappingConnectionFactory.plain(
              JdbcConfiguration.adapt(
                  jdbc.edit().with("ApplicationName", "walproof capture").build()));
    } catch (SQLException e) {
      throw SourceError.connecting(e, settings);
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_catalog.set_config('search_path', 'pg_catalog', false),"
              + " pg_catalog.set_config('statement_timeout', '"
              + settings.drift().startTimeout().toMillis()
              + "', false), pg_catalog.set_config('idle_in_transaction_session_timeout', '0',"
              + " false)");
      return connection;
    } catch (SQLException e) {
      try {
        connection.close();
      } catch (SQLException closing) {
        e.addSuppressed(closing);
      }
      throw SourceError.query(e, "preparing the source");
    }
  }
}
