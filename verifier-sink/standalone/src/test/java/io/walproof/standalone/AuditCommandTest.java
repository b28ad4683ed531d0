package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Lsn;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCommandTest {

  private static final TableId ORDERS = new TableId("public", "orders");
  private static final TableId ODD = new TableId("public", "Foo\u001b[31m");
  private static final RowSnapshot SNAPSHOT = new RowSnapshot.Present(new RowHash(1, 2), 3);

  @TempDir Path state;

  private record Outcome(int status, String out, String err) {}

  @Test
  void exitStatusesFollowTheFindings() {
    recordRun(0, new Verdict.Converged());
    assertThat(audit("summary").status()).isEqualTo(0);
    recordRun(0, new Verdict.Converged(), incomplete());
    assertThat(audit("summary").status()).isEqualTo(3);
    recordRun(0, incomplete(), different());
    assertThat(audit("summary").status()).isEqualTo(2);
    recordRun(4, incomplete(), different());
    assertThat(audit("summary").status()).isEqualTo(4);
    recordRun(0, new Verdict.Advanced());
    assertThat(audit("summary").status()).isEqualTo(0);
    assertThat(audit("summary", "--all").status()).isEqualTo(2);
    assertThat(audit("summary", "--run", "run-2").status()).isEqualTo(3);
    assertThat(audit("summary", "--run", "nope").status()).isEqualTo(1);
    assertThat(audit("check").status()).isEqualTo(0);
    assertThat(audit("show").status()).isEqualTo(0);
  }

  @Test
  void aRunThatFailedOrNeverEndedIsNotClean() {
    recordRun(1, new Verdict.Converged());
    assertThat(audit("summary").status()).isEqualTo(3);
    record(List.of(start(), decision(ORDERS, "1", new Verdict.Converged())));
    assertThat(audit("summary").status()).isEqualTo(3);
    record(List.of(start(), decision(ORDERS, "1", different())));
    assertThat(audit("summary").status()).isEqualTo(2);
  }

  /** A table that the target lacks has a range check's end and the process's status, no key. */
  @Test
  void aFailureWithoutAKeyIsAFailure() {
    recordRun(2, new Verdict.Converged());
    assertThat(audit("summary").status()).isEqualTo(2);
    record(List.of(start(), rangeEnd("failed", 0), end(0, Map.of())));
    assertThat(audit("summary").status()).isEqualTo(2);
    assertThat(audit("summary").out()).contains("range checks: 1 failed, 0 without");
    record(List.of(start(), rangeEnd("proved", 1), end(0, Map.of())));
    assertThat(audit("summary").status()).isEqualTo(3);
    record(List.of(start(), rangeEnd("incomplete", 0), end(0, Map.of())));
    assertThat(audit("summary").status()).isEqualTo(3);
    record(List.of(start(), rangeEnd("proved", 0), end(0, Map.of())));
    assertThat(audit("summary").status()).isEqualTo(0);
  }

  private static AuditEntry rangeEnd(String outcome, long targetOnly) {
    return new AuditEntry.RangeEnd(
        Optional.of(ORDERS),
        outcome,
        Optional.empty(),
        0,
        0,
        0,
        Map.of(),
        targetOnly,
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  /** The latest gap of a table, in whatever summary it stands; tables of one gap share a line. */
  @Test
  void theSummarySaysBehindWhichGapTheVerdictsStart() throws Exception {
    Coverage none = new Coverage(0, 0, 0, Map.of(), 0, Map.of());
    Map<TableId, Coverage> tables = Map.of(ORDERS, none, ODD, none);
    record(
        List.of(
            start(),
            new AuditEntry.Summary(
                none, tables, Map.of(ORDERS, new Lsn(32), ODD, new Lsn(32)), Map.of()),
            end(0, Map.of())));
    assertThat(audit("summary").out())
        .contains("verdicts start after 0/20 (a gap): public.\"Foo\\u001B[31m\", public.orders\n");
    record(
        List.of(
            start(),
            new AuditEntry.Summary(none, tables, Map.of(ORDERS, new Lsn(48)), Map.of()),
            new AuditEntry.Summary(none, tables, Map.of(ORDERS, new Lsn(40)), Map.of()),
            end(0, Map.of())));
    assertThat(audit("summary").out())
        .contains("verdicts start after 0/30 (a gap): public.orders\n")
        .doesNotContain("0/20", "0/28");
    assertThat(audit("summary", "--all").out()).contains("after 0/20 ", "after 0/30 ");
    JsonNode json =
        JsonMapper.builder()
            .build()
            .readTree(audit("summary", "--json").out())
            .path("verdicts_after");
    assertThat(json).hasSize(1);
    assertThat(json.at("/0/table/name").asText()).isEqualTo("orders");
    assertThat(json.at("/0/lsn").asText()).isEqualTo("0/30");
  }

  @Test
  void theSummaryShowsFiguresAndCoverage() {
    recordRun(2, different(), new Verdict.Unresolved(Kind.MISSING), incomplete(), different());
    Outcome text = audit("summary");
    assertThat(text.out())
        .contains("public.orders  0         different 2, missing 1  1           0")
        .contains("observed 11 = checked 5 + coalesced 3 + skipped 2 (source_absent 2) + pending 1")
        .contains("incomplete: target_table_missing 1")
        .contains("drift: none")
        .contains("verify.columns.exclude: public.t.v")
        .doesNotContain("verify.column.rules")
        .contains("agree");
    assertThat(text.err()).isEmpty();
    JsonNode json = json(audit("summary", "--json").out());
    assertThat(json.path("total").path("outcomes").path("unresolved_different").asInt())
        .isEqualTo(2);
    assertThat(json.path("coverage").path("observed").asInt()).isEqualTo(11);
    assertThat(json.path("exit_status").asInt()).isEqualTo(2);
    assertThat(json.path("column_settings").path("verify.columns.exclude").asText())
        .isEqualTo("public.t.v");
    assertThat(json.path("disagreements")).isEmpty();
  }

  @Test
  void aSummaryNamesWhatWasNotCompared() {
    TableId table = new TableId("public", "t");
    Coverage none = new Coverage(0, 0, 0, Map.of(), 0, Map.of());
    try (StateDirectory held = StateDirectory.open(state);
        FileAuditLog log = FileAuditLog.open(held, "run", Time.system())) {
      log.append(
          List.of(
              start(),
              new AuditEntry.Summary(
                  none,
                  Map.of(table, none),
                  Map.of(),
                  Map.of(
                      table,
                      new ColumnsLeftOut(
                          List.of("f: real, double precision"), List.of("v"), List.of()))),
              end(0, Map.of())));
    }
    Outcome text = audit("summary");
    assertThat(text.out())
        .contains("public.t: not compared: f: real, double precision", "public.t: excluded: v")
        .doesNotContain("not published");
    assertThat(text.status()).as("not everything was compared").isEqualTo(3);
    JsonNode json = json(audit("summary", "--json").out());
    assertThat(json.path("excluded").path(0).path("columns").path(0).asText()).isEqualTo("v");
    assertThat(json.path("not_published")).isEmpty();
    assertThat(json.path("not_compared").path(0).path("table").path("name").asText())
        .isEqualTo("t");
    assertThat(json.path("not_compared").path(0).path("columns").path(0).asText())
        .isEqualTo("f: real, double precision");
  }

  @Test
  void aRunWhoseOwnCountsDisagreeIsAnError() {
    try (StateDirectory held = StateDirectory.open(state);
        FileAuditLog log = FileAuditLog.open(held, "run", Time.system())) {
      log.append(List.of(start(), end(0, Map.of("unresolved_missing", 1L))));
    }
    Outcome outcome = audit("summary");
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out())
        .contains(
            "DISAGREEMENT: run run counted 1 unresolved_missing in total, the records have 0");
  }

  @Test
  void showFiltersByTableKeyAndOutcome() {
    recordRun(2, different(), incomplete(), new Verdict.Unresolved(Kind.MISSING));
    assertThat(audit("show").out().lines()).hasSize(5);
    assertThat(audit("show", "--outcome", "unresolved").out().lines()).hasSize(2);
    assertThat(audit("show", "--outcome", "unresolved_missing").out().lines()).hasSize(1);
    assertThat(audit("show", "--key", "id=1").out().lines())
        .singleElement()
        .asString()
        .contains("decision  public.orders  id=1  unresolved_different  columns: total");
    assertThat(audit("show", "--table", "public.orders").out().lines()).hasSize(3);
    assertThat(audit("show", "--table", "public.orders", "--key", "id=3").out()).contains("id=3");
    Outcome none = audit("show", "--table", "public.\"Orders\"");
    assertThat(none.out()).isEmpty();
    assertThat(none.err()).contains("No record matches");
    String line = audit("show", "--json", "--key", "id=2").out().strip();
    assertThat(json(line).path("reason").asText()).isEqualTo("target_table_missing");
  }

  @Test
  void whatATerminalWouldActOnIsShownInstead() {
    try (StateDirectory held = StateDirectory.open(state);
        FileAuditLog log = FileAuditLog.open(held, "run", Time.system())) {
      log.append(List.of(start(), decision(ODD, "\u001b]0;x\u0007", different())));
    }
    for (Outcome outcome :
        List.of(
            audit("show"), audit("show", "--json"), audit("summary"), audit("summary", "--json"))) {
      assertThat(outcome.out()).contains("\\u001B").doesNotContain("\u001b");
    }
  }

  @Test
  void aBrokenChainIsReportedWithItsLine() throws IOException {
    recordRun(2, different(), incomplete());
    Path file = StateDirectory.auditFile(state);
    assertThat(audit("check").out()).contains("records   4").contains("chain     whole");
    Files.writeString(file, Files.readString(file).replace("different", "diff3rent"));
    Outcome broken = audit("check");
    assertThat(broken.status()).isEqualTo(1);
    assertThat(broken.out()).contains("chain     BROKEN: line 2 was edited");
    JsonNode json = json(audit("check", "--json").out());
    assertThat(json.path("whole").asBoolean(true)).isFalse();
    assertThat(json.path("problem").path("line").asInt()).isEqualTo(2);
    assertThat(audit("summary").status()).isEqualTo(1);
    assertThat(audit("summary").err()).contains("line 2").contains(file.toString());
    assertThat(run("audit", "check", "--file", file.toString()).status()).isEqualTo(1);
  }

  @Test
  void wrongUseEndsWithOneAndSaysWhatIsRight() {
    assertThat(run().status()).isEqualTo(1);
    assertThat(run().err()).contains("Usage: walproof");
    assertThat(run("audit").status()).isEqualTo(1);
    assertThat(run("adit").status()).isEqualTo(1);
    assertThat(run("adit").err()).contains("audit");
    assertThat(run("audit", "show", "--outcome", "wrong").err()).contains("unresolved_missing");
    assertThat(run("audit", "show", "--table", "orders").err()).contains("schema.table");
    assertThat(run("audit", "check", "--file", "a", "--state-dir", "b").status()).isEqualTo(1);
    Outcome absent = audit("check");
    assertThat(absent.status()).isEqualTo(1);
    assertThat(absent.out()).isEmpty();
    assertThat(absent.err()).contains("There is no audit file").contains("--state-dir");
  }

  @Test
  void helpAndVersionGoToStandardOutput() {
    assertThat(run("--help"))
        .satisfies(
            help -> {
              assertThat(help.status()).isZero();
              assertThat(help.err()).isEmpty();
              assertThat(help.out()).contains("audit").contains("halted on drift");
            });
    assertThat(run("audit", "summary", "--help").out()).contains("--state-dir").contains("--all");
    assertThat(run("--version").out()).matches("walproof [0-9]+\\.[0-9]+\\.[0-9]+\\S*\\s*");
  }

  private int runs;

  /** A run with one decision for each verdict, on keys 1, 2, and so on. */
  private void recordRun(int exitStatus, Verdict... verdicts) {
    List<AuditEntry> entries = new ArrayList<>(List.of(start()));
    Map<String, Long> counts = new TreeMap<>();
    for (int i = 0; i < verdicts.length; i++) {
      entries.add(decision(ORDERS, Integer.toString(i + 1), verdicts[i]));
      String outcome =
          verdicts[i] instanceof Verdict.Unresolved unresolved
              ? "unresolved_" + unresolved.kind().text()
              : verdicts[i].outcome();
      counts.merge(outcome, 1L, Long::sum);
    }
    entries.add(end(exitStatus, counts));
    record(entries);
  }

  private void record(List<AuditEntry> entries) {
    runs++;
    try (StateDirectory held = StateDirectory.open(state);
        FileAuditLog log = FileAuditLog.open(held, "run-" + runs, Time.system())) {
      log.append(entries);
    }
  }

  private static Verdict different() {
    return new Verdict.Unresolved(Kind.DIFFERENT);
  }

  private static Verdict incomplete() {
    return new Verdict.Incomplete(IncompleteReason.TARGET_TABLE_MISSING);
  }

  private static AuditEntry start() {
    return new AuditEntry.RunStart(
        1,
        "none",
        List.of(),
        Map.of("verify.columns.exclude", "public.t.v", "verify.column.rules", ""),
        Optional.empty());
  }

  private static AuditEntry decision(TableId table, String id, Verdict verdict) {
    return new AuditEntry.Decision(
        AuditEntry.Stratum.CDC,
        table,
        new RowKey(List.of(new RowKey.Column("id", id))),
        verdict,
        List.of("total"),
        false,
        Optional.of(SNAPSHOT),
        Optional.of(SNAPSHOT),
        Optional.of(SNAPSHOT),
        Optional.of(SNAPSHOT),
        Optional.of(SNAPSHOT),
        Optional.of(Lsn.parse("0/1")),
        Optional.empty(),
        Optional.empty());
  }

  private static AuditEntry end(int exitStatus, Map<String, Long> others) {
    Map<String, Long> outcomes = new TreeMap<>(others);
    outcomes.put("matched", 1L);
    long checked = outcomes.values().stream().mapToLong(Long::longValue).sum();
    return new AuditEntry.RunEnd(
        "stopped",
        new Coverage(checked + 6, checked, 3, Map.of("source_absent", 2L), 1, outcomes),
        OptionalLong.of(exitStatus));
  }

  private Outcome audit(String command, String... more) {
    List<String> args = new ArrayList<>(List.of("audit", command, "--state-dir", state.toString()));
    args.addAll(Arrays.asList(more));
    return run(args.toArray(String[]::new));
  }

  private static Outcome run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = WalproofCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Outcome(status, out.toString(), err.toString());
  }

  private static JsonNode json(String text) {
    try {
      return JsonMapper.builder().build().readTree(text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }
}
