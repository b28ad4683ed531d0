package io.walproof.connector.engine;

import io.debezium.jdbc.JdbcConfiguration;
import io.walproof.connector.catalog.CatalogQuery;
import io.walproof.connector.catalog.CatalogReading;
import io.walproof.connector.engine.CaptureException.Reason;
import io.walproof.connector.engine.ServerCheck.Server;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionStore;
import io.walproof.connector.relation.TappingConnectionFactory;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything that must be so on the source before Debezium starts, checked and where allowed made
 * so by ourselves: server, role, tables, publication, then the slot.
 */
final class SourcePreparation {

  /** How long the network may stay silent beyond a statement's own time. */
  private static final Duration NETWORK_SLACK = Duration.ofSeconds(1);

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

    /** The tables of which it is told already that changes were lost: all, by a gap of the slot. */
    Set<TableId> lapsed() {
      boolean all = start.loss().filter(loss -> loss.kind() == DriftEvent.Kind.GAP).isPresent();
      return Stream.concat(
              unpublished.stream().flatMap(gap -> gap.table().stream()),
              all ? tables.stream().map(SourceTable::table) : Stream.empty())
          .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether anything is lost that must be told. */
    boolean hasGaps() {
      return start.loss().isPresent() || !unpublished.isEmpty();
    }
  }

  /**
   * Prepares.
   *
   * @param stored the durable position
   * @param store where a position is kept before a gap is made invisible
   * @param captured whether a capture was here before, whatever became of its position
   * @throws CaptureException naming what is not as it must be
   */
  static Prepared prepare(
      CaptureSettings settings,
      Optional<Position> stored,
      PositionStore store,
      boolean captured,
      Time time) {
    try (Connection connection = connect(settings)) {
      Server server = ServerCheck.check(connection, settings);
      stored.ifPresent(position -> SlotSetup.checkCluster(position, server));
      List<SourceTable> included = SourceCatalog.included(connection, settings);
      DebeziumLimits.check(connection, included);
      HistoryRoom.check(settings, included, history(stored));
      ReplicationSlot slot = new ReplicationSlot(connection, settings, server.version(), time);
      GapEvents words = new GapEvents(settings, included);
      GapIntent intent = new GapIntent(new DurableWait(store, time, settings.drift().haltWait()));
      // What a change on the source reveals must not be lost because the slot cannot be had.
      slot.awaitFree();
      PublicationStep.Done published =
          new PublicationStep(connection, settings, slot, server, words, intent)
              .run(included, stored);
      SlotSetup.Start start =
          new SlotSetup(slot, settings, server, words)
              .prepare(published.stored(), published.slotsProblem(), captured);
      return new Prepared(
          server, start, published.gaps(), included, readCatalog(connection, settings, included));
    } catch (SQLException e) {
      throw SourceError.query(e, "preparing the source");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CaptureException(Reason.TIMEOUT, "interrupted while preparing the source", e);
    }
  }

  private static SchemaHistory history(Optional<Position> stored) {
    return stored.map(Position::history).orElseGet(SchemaHistory::empty);
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
    Duration limit = settings.drift().startTimeout();
    try (Statement statement = connection.createStatement()) {
      // The server bounds its statements; a network that is gone, or a server that stands still,
      // would be waited for beyond that.
      connection.setNetworkTimeout(
          Runnable::run, Math.toIntExact(limit.plus(NETWORK_SLACK).toMillis()));
      statement.execute(
          "SELECT pg_catalog.set_config('search_path', 'pg_catalog', false),"
              + " pg_catalog.set_config('statement_timeout', '"
              + limit.toMillis()
              + "', false), pg_catalog.set_config('idle_in_transaction_session_timeout', '0',"
              + " false), pg_catalog.set_config('default_transaction_read_only', 'off', false)");
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
