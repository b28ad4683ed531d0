package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.audit.AuditReader;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.StateDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** A configuration of the command on a replicated pair, and what its runs leave. */
final class Operated {

  static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Stands for every secret; tests look for it where it must not be. */
  static final String SECRET = "Hunter2-s3cr3t";

  final ReplicatedPair pair;
  final Path directory;
  final Path state;
  final Map<String, String> settings = new LinkedHashMap<>();

  record Outcome(int status, String out, String err) {}

  /**
   * Settings with short times.
   *
   * @param name of slot and publication
   * @param tables {@code table.include.list}
   */
  Operated(ReplicatedPair pair, Path directory, String name, String tables) {
    this.pair = pair;
    this.directory = directory;
    this.state = directory.resolve("state");
    settings.put("state.dir", state.toString());
    settings.put("topic.prefix", name);
    settings.put("database.hostname", "127.0.0.1");
    settings.put("database.port", Integer.toString(pair.source().port()));
    settings.put("database.dbname", ReplicatedPair.DATABASE);
    settings.put("database.user", PostgresServer.SUPERUSER);
    settings.put("database.password", SECRET);
    settings.put("slot.name", name);
    settings.put("publication.name", name);
    settings.put("table.include.list", tables);
    settings.put("heartbeat.interval.ms", "500");
    settings.put("poll.interval.ms", "20");
    settings.put("offset.flush.interval.ms", "100");
    settings.put("verify.target.jdbc.url", pair.target().jdbcUrl(ReplicatedPair.DATABASE));
    settings.put("verify.target.user", PostgresServer.SUPERUSER);
    settings.put("verify.target.password", SECRET);
    settings.put("verify.settle.ms", "300");
    settings.put("verify.recheck.delay.ms", "1000");
    settings.put("verify.replay.timeout.ms", "5000");
    settings.put("verify.commit.interval.ms", "100");
    settings.put("verify.summary.interval.ms", "200");
  }

  Operated with(String key, String value) {
    settings.put(key, value);
    return this;
  }

  Operated without(String key) {
    settings.remove(key);
    return this;
  }

  /** Writes the settings to a file. */
  Path config() throws IOException {
    StringBuilder text = new StringBuilder();
    settings.forEach(
        (key, value) ->
            text.append(key).append('=').append(value.replace("\\", "\\\\")).append('\n'));
    Path file = directory.resolve("walproof.properties");
    Files.writeString(file, text);
    return file;
  }

  /** Starts {@code walproof run} as a process of its own. */
  SpawnedRun spawn(String... more) throws IOException {
    return SpawnedRun.start(directory, config(), List.of(more));
  }

  /** Runs {@code walproof run} here until it ends by itself. */
  Outcome run(String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("run", "--config", config().toString()));
    args.addAll(List.of(more));
    return command(args.toArray(String[]::new));
  }

  /** Runs any command here. */
  static Outcome command(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = WalproofCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Outcome(status, out.toString(), err.toString());
  }

  Path auditFile() {
    return StateDirectory.auditFile(state);
  }

  /** What the audit holds so far; the file may be in use. */
  List<AuditRecord> audit() {
    List<AuditRecord> records = new ArrayList<>();
    if (Files.exists(auditFile())) {
      try (AuditReader reader = AuditReader.open(auditFile())) {
        Optional<AuditRecord> next = reader.next();
        while (next.isPresent()) {
          records.add(next.get());
          next = reader.next();
        }
      }
    }
    return records;
  }

  /** The first column of the first row on the source. */
  String askSource(String sql) throws SQLException {
    return ask(pair.source(), sql);
  }

  String askTarget(String sql) throws SQLException {
    return ask(pair.target(), sql);
  }

  private static String ask(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = server.connect(ReplicatedPair.DATABASE);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  static void until(String what, Callable<Boolean> condition) {
    await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition);
  }

  /** Nothing that the command writes or prints holds the secret. */
  void assertNoSecret(String... printed) throws IOException {
    for (String text : printed) {
      assertThat(text).doesNotContain(SECRET);
    }
    if (Files.exists(state)) {
      try (var files = Files.walk(state)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          assertThat(Files.readString(file)).as(file.toString()).doesNotContain(SECRET);
        }
      }
    }
  }

  /** Removes slot and publication, so that nothing holds WAL back or gets in the next one's way. */
  void forget() throws SQLException {
    String slot = settings.get("slot.name");
    until(
        "the slot to be free",
        () ->
            "0"
                .equals(
                    askSource(
                        "SELECT count(*) FROM pg_replication_slots WHERE active AND slot_name = '"
                            + slot
                            + "'")));
    pair.onSource(
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '"
            + slot
            + "'",
        "DROP PUBLICATION IF EXISTS " + settings.get("publication.name"));
  }
}
