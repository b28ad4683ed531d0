package io.walproof.connector.engine;

import static org.awaitility.Awaitility.await;

import io.walproof.connector.catalog.CatalogStore;
import io.walproof.connector.catalog.FileCatalogStore;
import io.walproof.connector.emit.Delivery;
import io.walproof.connector.emit.Skip;
import io.walproof.connector.offset.FilePositionStore;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.PositionFile;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** One database of a shared server, and captures of it that share a position file. */
final class CaptureFixture implements AutoCloseable {

  private static final AtomicInteger NUMBER = new AtomicInteger();
  static final Duration PATIENCE = Duration.ofMinutes(3);

  PostgresServer server;
  final String database;
  final String slot;
  final Path file;
  final Map<String, String> settings = new HashMap<>();
  private CaptureEngine engine;
  private FilePositionStore store;
  Captured captured;
  private boolean keepsCatalog;

  CaptureFixture(PostgresServer server) throws SQLException, IOException {
    this.server = server;
    this.database = "db" + NUMBER.incrementAndGet();
    this.slot = "slot_" + database;
    this.file = Files.createTempDirectory("walproof-capture").resolve("position");
    server.execute("postgres", "CREATE DATABASE " + database);
    settings.put("database.hostname", "127.0.0.1");
    settings.put("database.port", Integer.toString(server.port()));
    settings.put("database.user", PostgresServer.SUPERUSER);
    settings.put("database.password", "");
    settings.put("database.dbname", database);
    settings.put("slot.name", slot);
    settings.put("poll.interval.ms", "20");
    settings.put("heartbeat.interval.ms", "1000");
    settings.put("offset.flush.interval.ms", "100");
  }

  /** A table {@code t} of one row that was delivered, durably, by a capture that has ended. */
  static CaptureFixture stoppedAfterOneInsert(PostgresServer server) throws Exception {
    CaptureFixture fixture = new CaptureFixture(server);
    fixture.sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
    fixture.start();
    fixture.sql("INSERT INTO t VALUES (1)");
    fixture.settle();
    fixture.stop();
    return fixture;
  }

  /** From now on the source is another server, such as a promoted standby. */
  void moveTo(PostgresServer other) {
    server = other;
    settings.put("database.port", Integer.toString(other.port()));
  }

  CaptureFixture with(String key, String value) {
    settings.put(key, value);
    return this;
  }

  /** What the catalog said is kept in a file, as a run does. */
  CaptureFixture keepingCatalog() {
    keepsCatalog = true;
    return this;
  }

  CaptureFixture sql(String... statements) throws SQLException {
    server.execute(database, statements);
    return this;
  }

  /** Several statements in one transaction. */
  void transaction(String... statements) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String sql : statements) {
        statement.execute(sql);
      }
      connection.commit();
    }
  }

  String query(String sql) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : null;
    }
  }

  Lsn confirmed() throws SQLException {
    return Lsn.parse(
        query(
            "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '"
                + slot
                + "'"));
  }

  Lsn durable() {
    return PositionFile.read(file).orElseThrow().resume();
  }

  /** Starts a capture whose positions become durable as they are delivered. */
  Captured start() {
    return start(true, Integer.MAX_VALUE);
  }

  Captured start(boolean durableAtOnce, int blockAfter) {
    return start(CaptureSettings.of(settings), durableAtOnce, blockAfter);
  }

  Captured start(CaptureSettings wanted, boolean durableAtOnce, int blockAfter) {
    store = FilePositionStore.open(file);
    captured = new Captured(store, durableAtOnce).blockAfter(blockAfter);
    CatalogStore catalog =
        keepsCatalog
            ? new FileCatalogStore(file.resolveSibling("catalog.json"))
            : CatalogStore.inMemory();
    engine = CaptureEngine.start(wanted, store, catalog, captured, Time.system());
    return captured;
  }

  /** Drops the slot once the server has noticed that nobody holds it. */
  void dropSlot() throws SQLException {
    awaitFreeSlot();
    query("SELECT pg_drop_replication_slot('" + slot + "')");
  }

  private void awaitFreeSlot() {
    await()
        .until(
            () ->
                query(
                    "SELECT count(*) FROM pg_catalog.pg_replication_slots WHERE active AND"
                        + " slot_name = '"
                        + slot
                        + "'"),
            "0"::equals);
  }

  /** Makes a position durable in the running capture's store. */
  void write(Position position) {
    store.write(position);
  }

  CaptureEngine engine() {
    return engine;
  }

  /** Starts a capture although it cannot deliver everything. */
  Captured startAcceptingTheGap() {
    return start(CaptureSettings.of(settings).acceptGap(), true, Integer.MAX_VALUE);
  }

  void stop() {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }

  /** Waits until the capture ends by itself. */
  CaptureException awaitFailure() {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> engine.failure().isPresent());
    return (CaptureException) engine.failure().orElseThrow();
  }

  /** Waits for a condition; fails at once if the capture has failed. */
  void until(Callable<Boolean> condition) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .failFast(
            () -> {
              if (engine != null && engine.failure().isPresent()) {
                throw new IllegalStateException(engine.failure().get());
              }
            })
        .until(condition);
  }

  /** Waits until everything that is committed now was delivered. */
  void settle() throws SQLException {
    Lsn before = Lsn.parse(query("SELECT pg_current_wal_insert_lsn()"));
    query("SELECT pg_logical_emit_message(true, 'test', '')");
    until(() -> captured.all().stream().anyMatch(delivery -> isMessageSince(delivery, before)));
  }

  private static boolean isMessageSince(Delivery delivery, Lsn before) {
    return delivery.skip().isPresent()
        && delivery.skip().get().reason() == Skip.Reason.MESSAGE
        && new Lsn((Long) delivery.position().entries().get("lsn")).hasPassed(before);
  }

  @Override
  public void close() throws SQLException {
    stop();
    awaitFreeSlot();
    server.execute(
        "postgres",
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '"
            + slot
            + "'",
        "DROP DATABASE " + database + " WITH (FORCE)");
    deleteFolder();
  }

  private void deleteFolder() {
    Path folder = file.getParent();
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the test's folder could not be deleted", e);
    }
  }
}
