package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.run.RunSession;
import io.walproof.standalone.run.RunSettingsLoader;
import io.walproof.standalone.run.RunStatus;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.AuditEntry.Observation;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/**
 * A run on a replicated pair in this process, configured by a file as any run is, and everything
 * that its audit received. Ended by {@link #end}, at the latest by {@link #close}.
 */
final class ObservedRun implements AutoCloseable {

  /** How long a condition may take on a busy machine; never how long anything should take. */
  static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration TICK = Duration.ofMillis(50);

  private final Path stateDirectory;
  private final List<AuditEntry> entries = new ArrayList<>();
  private RunSession session;
  private Thread ticker;
  private volatile boolean halted;
  private boolean ended;
  private volatile RuntimeException failure;

  private ObservedRun(Path stateDirectory) {
    this.stateDirectory = stateDirectory;
  }

  /** Short times, and names after the slot: tests on one pair need a name each. */
  static Map<String, String> settings(ReplicatedPair pair, Path directory, String name) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("state.dir", directory.resolve("state").toString());
    settings.put("topic.prefix", name);
    settings.put("database.hostname", "127.0.0.1");
    settings.put("database.port", Integer.toString(pair.source().port()));
    settings.put("database.dbname", ReplicatedPair.DATABASE);
    settings.put("database.user", PostgresServer.SUPERUSER);
    settings.put("database.password", "none-needed");
    settings.put("slot.name", name);
    settings.put("publication.name", name);
    settings.put("schema.include.list", "public");
    settings.put("heartbeat.interval.ms", "500");
    settings.put("verify.target.jdbc.url", pair.target().jdbcUrl(ReplicatedPair.DATABASE));
    settings.put("verify.target.user", PostgresServer.SUPERUSER);
    settings.put("verify.target.password", "none-needed");
    settings.put("verify.settle.ms", "300");
    settings.put("verify.recheck.delay.ms", "1000");
    settings.put("verify.replay.timeout.ms", "5000");
    settings.put("verify.replay.poll.ms", "20");
    settings.put("verify.commit.interval.ms", "100");
    return settings;
  }

  /** Starts a run; returns once changes are streamed. */
  static ObservedRun start(Map<String, String> settings) throws IOException, InterruptedException {
    return start(settings, Time.system());
  }

  /** The same on another clock. */
  static ObservedRun start(Map<String, String> settings, Time time)
      throws IOException, InterruptedException {
    Path file = configuration(settings);
    ObservedRun run = new ObservedRun(Path.of(settings.get("state.dir")));
    run.session = RunSession.start(RunSettingsLoader.load(file), time, run::add);
    run.ticker = new Thread(run::tick, "observed-run");
    run.ticker.setDaemon(true);
    run.ticker.start();
    return run;
  }

  /** Writes them as a file beside the state directory. */
  static Path configuration(Map<String, String> settings) throws IOException {
    Path state = Path.of(settings.get("state.dir"));
    Files.createDirectories(state.toAbsolutePath().getParent());
    Path file = state.resolveSibling("walproof.properties");
    StringBuilder text = new StringBuilder();
    settings.forEach(
        (key, value) ->
            text.append(key).append('=').append(value.replace("\\", "\\\\")).append('\n'));
    return Files.writeString(file, text);
  }

  private synchronized void add(List<AuditEntry> batch) {
    entries.addAll(batch);
  }

  private void tick() {
    try {
      while (!halted) {
        session.tick();
        Time.system().sleep(TICK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  static TableId table(String name) {
    return new TableId("public", name);
  }

  Path stateDirectory() {
    return stateDirectory;
  }

  Verifier verifier() {
    return session.verifier();
  }

  synchronized <T extends AuditEntry> List<T> entries(Class<T> type) {
    return entries.stream().filter(type::isInstance).map(type::cast).toList();
  }

  List<Decision> decisions(String table) {
    return entries(Decision.class).stream().filter(d -> d.table().equals(table(table))).toList();
  }

  List<Decision> decisions(String table, String... key) {
    return decisions(table).stream().filter(d -> d.key().texts().equals(List.of(key))).toList();
  }

  List<Observation> observations(String table) {
    return entries(Observation.class).stream().filter(o -> o.table().equals(table(table))).toList();
  }

  /** Drift without baselines. */
  List<DriftEvent> drift() {
    return entries(AuditEntry.Drift.class).stream()
        .map(AuditEntry.Drift::event)
        .filter(DriftEvent::isDrift)
        .toList();
  }

  List<Decision> unresolved() {
    return entries(Decision.class).stream()
        .filter(d -> d.verdict() instanceof Verdict.Unresolved)
        .toList();
  }

  /** The counts of a table, zero where nothing was observed. */
  Coverage coverage(String table) {
    Coverage none = new Coverage(0, 0, 0, Map.of(), 0, Map.of());
    return verifier().perTable().getOrDefault(table(table), none);
  }

  /** Waits, and fails at once when the run has failed. */
  void await(String what, Predicate<ObservedRun> condition) {
    Awaitility.await(what)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              if (failure != null) {
                throw failure;
              }
              return condition.test(this);
            });
  }

  /** The first mismatch of a key, once it is on hold. */
  Observation awaitObservation(String table, String... key) {
    Predicate<Observation> wanted = o -> o.key().texts().equals(List.of(key));
    await("a first mismatch of " + table, run -> run.observations(table).stream().anyMatch(wanted));
    return observations(table).stream().filter(wanted).findFirst().orElseThrow();
  }

  /** The first decision of a key. */
  Decision awaitDecision(String table, String... key) {
    await("a decision in " + table, run -> !run.decisions(table, key).isEmpty());
    return decisions(table, key).get(0);
  }

  /** Waits until that many changed keys of the table came in and nothing at all is pending. */
  void awaitSettled(String table, long observed) {
    await(
        observed + " keys of " + table + " and nothing pending",
        run -> run.coverage(table).observed() >= observed && run.verifier().pending() == 0);
  }

  /**
   * Ends the run and holds all its counts against each other: the verifier's, the audit's last
   * summary, the run's end, and what {@code audit summary} counts from the file, whose chain must
   * be whole.
   *
   * @return the final counts
   */
  Coverage end() throws InterruptedException, IOException {
    halt();
    if (failure != null) {
      throw failure;
    }
    ended = true;
    session.end("stopped", () -> RunStatus.of(session, false));
    Coverage total = verifier().total();
    List<AuditEntry.Summary> summaries = entries(AuditEntry.Summary.class);
    AuditEntry.Summary last = summaries.get(summaries.size() - 1);
    assertThat(last.total()).isEqualTo(total);
    assertThat(last.tables()).isEqualTo(verifier().perTable());
    AuditEntry.RunEnd end = entries(AuditEntry.RunEnd.class).get(0);
    assertThat(end.total()).isEqualTo(total);

    String state = stateDirectory.toString();
    JsonNode json =
        new JsonMapper()
            .readTree(command("audit", "summary", "--state-dir", state, "--json").out());
    assertThat(json.path("disagreements")).isEmpty();
    assertThat(coverageOf(json.path("coverage"))).isEqualTo(total);
    Map<String, Long> recorded = new TreeMap<>(total.outcomes());
    recorded.remove("matched");
    assertThat(counts(json.path("total").path("outcomes"))).isEqualTo(recorded);
    assertThat(json.path("exit_status").asLong()).isEqualTo(end.exitStatus().orElseThrow());
    assertThat(command("audit", "check", "--state-dir", state).status()).isZero();
    return total;
  }

  private static Coverage coverageOf(JsonNode json) {
    return new Coverage(
        json.path("observed").asLong(-1),
        json.path("checked").asLong(-1),
        json.path("coalesced").asLong(-1),
        counts(json.path("skipped")),
        json.path("pending").asLong(-1),
        counts(json.path("outcomes")));
  }

  private static Map<String, Long> counts(JsonNode json) {
    Map<String, Long> counts = new TreeMap<>();
    json.properties().forEach(field -> counts.put(field.getKey(), field.getValue().asLong()));
    return counts;
  }

  /** What a command printed. */
  record Printed(int status, String out, String err) {}

  static Printed command(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = WalproofCommand.run(new PrintWriter(out), new PrintWriter(err), arguments);
    return new Printed(status, out.toString(), err.toString());
  }

  private void halt() throws InterruptedException {
    halted = true;
    ticker.join();
  }

  /** Ends a run that a test left in the middle. */
  @Override
  public void close() throws InterruptedException {
    if (!ended) {
      ended = true;
      halt();
      session.end("test ended", () -> ExitStatus.ERROR);
    }
  }
}
