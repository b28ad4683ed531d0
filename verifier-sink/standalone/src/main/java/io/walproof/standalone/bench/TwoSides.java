package io.walproof.standalone.bench;

import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.core.VerifierLimits;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.range.RouteNames;
import io.walproof.verifier.replay.ConfirmationSettings;
import io.walproof.verifier.replay.ConfirmationStrategy;
import io.walproof.verifier.row.RowSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Two servers that hold the same rows; no applier runs. Not thread-safe. */
final class TwoSides implements AutoCloseable {

  private static final int PENDING_MAX = 100_000;

  private final ReplicatedPair pair;

  private TwoSides(ReplicatedPair pair) {
    this.pair = pair;
  }

  /** Starts the servers, without a table, with room for the locks of thousands. */
  static TwoSides empty() throws IOException, SQLException {
    return new TwoSides(
        ReplicatedPair.start(
            server().setting("max_locks_per_transaction", "512"),
            server().setting("max_locks_per_transaction", "512")));
  }

  /** Starts the servers and fills the benches' table with rows 1 to {@code rows}. */
  static TwoSides start(int rows) throws IOException, SQLException {
    ReplicatedPair pair = ReplicatedPair.start(server(), server());
    boolean filled = false;
    try {
      pair.onBoth(
          BenchTable.CREATE,
          BenchTable.insert("1", Integer.toString(rows)),
          "VACUUM (ANALYZE) public.bench");
      filled = true;
      return new TwoSides(pair);
    } finally {
      if (!filled) {
        pair.close();
      }
    }
  }

  /** The whole table stays in memory, so that both ways of reading it read no disk. */
  private static PostgresServer.Builder server() {
    return PostgresServer.builder()
        .setting("shared_buffers", "256MB")
        .setting("autovacuum", "off")
        .setting("max_wal_size", "4GB");
  }

  /** Empties the table on both sides and fills it anew. */
  void refill(int rows) throws SQLException {
    pair.onBoth(
        "TRUNCATE public.bench",
        BenchTable.insert("1", Integer.toString(rows)),
        "VACUUM (ANALYZE) public.bench");
  }

  PostgresServer source() {
    return pair.source();
  }

  PostgresServer target() {
    return pair.target();
  }

  /** Runs statements on both sides. */
  void onBoth(String... statements) throws SQLException {
    pair.onBoth(statements);
  }

  /** Runs a statement on the source alone. */
  void onSource(String sql) throws SQLException {
    pair.onSource(sql);
  }

  /** Removes a slot whose reader has ended. */
  void dropSlot(String slot) throws SQLException {
    pair.onSource("SELECT pg_catalog.pg_drop_replication_slot('" + slot + "')");
  }

  /** Runs a statement on the target alone. */
  void onTarget(String sql) throws SQLException {
    pair.onTarget(sql);
  }

  String sourceUrl() {
    return pair.source().jdbcUrl(ReplicatedPair.DATABASE);
  }

  String targetUrl() {
    return pair.target().jdbcUrl(ReplicatedPair.DATABASE);
  }

  static DatabaseSettings database(Side side, String url) {
    return DatabaseSettings.of(side, url, PostgresServer.SUPERUSER, "");
  }

  /** A verifier that reads at once. */
  static VerifierSettings verifier(
      String sourceUrl, String targetUrl, int batch, Duration recheckDelay) {
    return new VerifierSettings(
        database(Side.SOURCE, sourceUrl),
        database(Side.TARGET, targetUrl),
        RowSettings.defaults(),
        ConfirmationSettings.of(ConfirmationStrategy.NONE),
        new VerifierLimits(
            Duration.ZERO,
            recheckDelay,
            batch,
            Duration.ofSeconds(60),
            Duration.ZERO,
            Duration.ofSeconds(60),
            PENDING_MAX,
            Set.of()),
        RouteNames.SUBSCRIPTIONS,
        Map.of());
  }

  /**
   * A configuration file for {@code run}: reads soon, rechecks in a day.
   *
   * @param settings lines that go before these
   */
  String configuration(Path state, String... settings) {
    Set<String> given =
        Stream.of(settings).map(line -> line.split("=", 2)[0]).collect(Collectors.toSet());
    return Stream.concat(
            Stream.of(settings),
            defaults(state).stream().filter(line -> !given.contains(line.split("=", 2)[0])))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private List<String> defaults(Path state) {
    return List.of(
        "state.dir=" + state,
        "topic.prefix=bench",
        "database.hostname=127.0.0.1",
        "database.port=" + pair.source().port(),
        "database.dbname=" + ReplicatedPair.DATABASE,
        "database.user=" + PostgresServer.SUPERUSER,
        "database.password=none-needed",
        "table.include.list=public\\\\.bench",
        "verify.target.jdbc.url=" + targetUrl(),
        "verify.target.user=" + PostgresServer.SUPERUSER,
        "verify.target.password=none-needed",
        "verify.replay.confirmation=none",
        "verify.settle.ms=500",
        "verify.recheck.delay.ms=86400000",
        "verify.pending.max=" + PENDING_MAX);
  }

  /** Changes rows 1 to {@code rows} on the source, so many in each transaction. */
  void updateSource(int rows, int perTransaction) throws SQLException {
    pair.onSource(
        "DO $$ BEGIN FOR i IN 1.."
            + rows
            + " BY "
            + perTransaction
            + " LOOP UPDATE public.bench SET status = 'paid' WHERE id BETWEEN i AND i + "
            + (perTransaction - 1)
            + "; COMMIT; END LOOP; END $$");
  }

  @Override
  public void close() throws IOException {
    pair.close();
  }
}
