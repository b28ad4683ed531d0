package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.settings.StatusLimits;
import io.walproof.standalone.status.Status;
import io.walproof.standalone.status.StatusModel;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditSegments;
import io.walproof.verifier.audit.AuditType;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Killed with -9 again and again under load, Walproof loses no changed key (O2, invariants B and
 * C). The proof is a table of which the target has no row: every key that is checked must be
 * reported, and every key that is lost is missing from the audit. Its files are closed again and
 * again meanwhile, and everything that reads them says the same. {@code -Dwalproof.kills=20} for a
 * long run.
 */
class KillIT {

  private static final int KILLS = Integer.getInteger("walproof.kills", 3);
  private static final long SEED = Long.getLong("walproof.seed", 20260101L);

  private static final String HEALTHY = "kill_healthy";
  private static final String WITNESS = "kill_witness";

  @TempDir Path directory;

  @Test
  void noChangedKeyIsLostAndNothingIsReportedThatWasNotLost() throws Exception {
    Random random = new Random(SEED);
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy(HEALTHY);
    JoinedPair.lossy(WITNESS);
    Operated operated =
        new Operated(pair, directory, "kill", "public\\.kill_healthy,public\\.kill_witness")
            .with("audit.rotate.bytes", "65536");
    // The first run makes the slot; what was written before it was never promised.
    try (SpawnedRun first = operated.spawn().awaitStarted();
        SlotWatch watch = new SlotWatch(operated)) {
      try (WitnessLoad load = new WitnessLoad(pair, HEALTHY, WITNESS, SEED, 15)) {
        for (int kill = 0; kill < KILLS; kill++) {
          try (SpawnedRun run = kill == 0 ? first : operated.spawn()) {
            int atMost = 4000;
            if (kill % 4 != 3) {
              // In the midst of its work; every fourth while it starts.
              long before = observations(operated);
              Operated.until("a mismatch on hold", () -> observations(operated) > before);
              atMost = 2000;
            }
            assertThat(run.endsWithin(Duration.ofMillis(random.nextInt(atMost))))
                .as("ended by itself: " + run.err())
                .isFalse();
            run.kill();
          }
        }
      }
      Operated.Outcome end = operated.run("--until-idle", "3s", "--json");
      assertThat(end.status()).as(end.err()).isEqualTo(ExitStatus.FAILURES.code());
      assertThat(watch.violations()).isEmpty();
      assertThat(watch.looks()).isGreaterThan(10);
      assertSummary(end.out());
    }
    assertAudit(operated);
    assertReadersAgree(operated);
    operated.forget();
  }

  /** Across files that were closed, some of them shortly before or after a kill. */
  private static void assertReadersAgree(Operated operated) throws Exception {
    assertThat(AuditSegments.all(operated.auditFile())).hasSizeGreaterThan(3);
    String state = operated.state.toString();
    List<AuditRecord> records = operated.audit();
    Map<String, Long> outcomes =
        records.stream()
            .filter(record -> record.type() == AuditType.DECISION)
            .collect(
                Collectors.groupingBy(
                    record -> record.outcome().orElseThrow(), Collectors.counting()));
    JsonNode all =
        json(Operated.command("audit", "summary", "--all", "--json", "--state-dir", state));
    assertThat(all.path("runs")).hasSize(KILLS + 1);
    outcomes.forEach(
        (outcome, count) ->
            assertThat(all.at("/total/outcomes/" + outcome).asLong()).as(outcome).isEqualTo(count));
    assertThat(
            Operated.command("audit", "show", "--type", "decision", "--json", "--state-dir", state)
                .out()
                .lines())
        .hasSize(outcomes.values().stream().mapToInt(Long::intValue).sum());
    assertThat(
            Operated.command("drift", "show", "--all", "--json", "--state-dir", state)
                .out()
                .lines())
        .hasSize((int) records.stream().filter(r -> r.type() == AuditType.DRIFT).count());

    StatusModel model = StatusModel.ofFile(StatusLimits.defaults(), operated.auditFile());
    records.forEach(model::add);
    model.caughtUp();
    Status page = model.at(Time.system().now(), Optional.empty());
    JsonNode last = json(Operated.command("audit", "summary", "--json", "--state-dir", state));
    assertThat(page.disagreements()).isEmpty();
    assertThat(last.path("disagreements")).isEmpty();
    assertThat(page.total().observed()).isEqualTo(last.at("/coverage/observed").asLong());
    page.total()
        .outcomes()
        .forEach(
            (outcome, count) ->
                assertThat(last.at("/coverage/outcomes/" + outcome).asLong())
                    .as(outcome)
                    .isEqualTo(count));
  }

  private static JsonNode json(Operated.Outcome printed) throws Exception {
    return JsonMapper.builder().build().readTree(printed.out());
  }

  private static long observations(Operated operated) {
    return operated.audit().stream()
        .filter(record -> record.type() == AuditType.OBSERVATION)
        .count();
  }

  private static void assertSummary(String out) throws Exception {
    JsonNode json = JsonMapper.builder().build().readTree(out);
    assertThat(json.path("disagreements")).isEmpty();
    assertThat(json.path("coverage").path("pending").asLong(-1)).isZero();
    assertThat(json.path("end_reason").asText()).isEqualTo("idle");
  }

  private void assertAudit(Operated operated) throws Exception {
    Operated.Outcome check =
        Operated.command("audit", "check", "--state-dir", operated.state.toString());
    assertThat(check.status()).as(check.out() + check.err()).isZero();

    Map<String, AuditRecord> last = new HashMap<>();
    Map<String, String> onHold = new HashMap<>();
    int checkedAgain = 0;
    for (AuditRecord record : operated.audit()) {
      if (record.type() == AuditType.DRIFT) {
        assertThat(record.json().path("kind").asText()).isEqualTo("initial");
      }
      String key = record.table() + " " + record.json().path("key");
      if (record.type() == AuditType.OBSERVATION) {
        String earlier = onHold.put(key, record.runId());
        checkedAgain += earlier == null || earlier.equals(record.runId()) ? 0 : 1;
      }
      if (record.type() == AuditType.DECISION) {
        onHold.remove(key);
        String table = record.table().orElseThrow().name();
        if (table.equals(HEALTHY)) {
          assertThat(record.outcome().orElseThrow())
              .as(record.text())
              .doesNotStartWith("unresolved")
              .isNotEqualTo("incomplete");
        } else {
          last.put(record.json().path("key").path("id").asText(), record);
        }
      }
    }
    // Otherwise no kill has hit anything.
    assertThat(checkedAgain).isPositive();
    Map<String, String> written = versions(operated);
    assertThat(written).hasSizeGreaterThan(100);
    assertThat(last.keySet()).containsAll(written.keySet());
    written.forEach(
        (id, version) -> {
          AuditRecord decision = last.get(id);
          assertThat(decision.outcome().orElseThrow())
              .as(decision.text())
              .startsWith("unresolved_");
          // What was judged last is what the source holds now: the last change was not lost.
          assertThat(decision.json().path("source_after").path("version").asText())
              .as(decision.text())
              .isEqualTo(version);
        });
  }

  /** The keys that the source holds, each with the transaction that wrote it last. */
  private static Map<String, String> versions(Operated operated) throws SQLException {
    Map<String, String> versions = new HashMap<>();
    try (Connection connection = operated.pair.source().connect(ReplicatedPair.DATABASE);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, xmin FROM public." + WITNESS)) {
      while (rows.next()) {
        versions.put(rows.getString(1), rows.getString(2));
      }
    }
    return versions;
  }
}
