package io.walproof.verifier.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures are counted from the records and must equal the run's own (invariant I, case V12). */
class AuditSummaryTest {

  private static final TableId ITEMS = new TableId("public", "items");

  @TempDir Path dir;
  private Path file;

  @BeforeEach
  void place() {
    file = dir.resolve("log").resolve("verify-audit.jsonl");
  }

  @Test
  void theLastRunIsCountedByOutcomeAndTable() {
    run("run-1", Entries.coverage(5, counted()));
    run("run-2", Entries.coverage(9, counted()));
    AuditSummary summary = AuditSummary.ofLastRun(file);
    assertThat(summary.runs()).containsExactly("run-2");
    assertThat(summary.endReason()).contains("stopped");
    assertThat(summary.exitStatus()).isEqualTo(OptionalLong.of(2));
    assertThat(summary.disagreements()).isEmpty();
    assertThat(summary.reported()).contains(Entries.coverage(9, counted()));
    assertThat(summary.total().outcomes()).isEqualTo(counted());
    assertThat(summary.total().deferred()).isEqualTo(1);
    assertThat(summary.total().failures()).isEqualTo(2);
    assertThat(summary.total().incomplete()).isEqualTo(1);
    assertThat(summary.total().incompleteReasons())
        .containsExactly(entry("target_read_failed", 1L));
    assertThat(summary.tables()).containsOnlyKeys(Entries.ORDERS, ITEMS);
    assertThat(summary.tables().get(ITEMS).outcomes())
        .containsExactly(entry("converged", 1L), entry("unresolved_different", 1L));
    assertThat(summary.drift()).containsExactly(entry("gap", 1L), entry("shape_changed", 1L));
  }

  @Test
  void oneRunOrAllOfThemCanBeAskedFor() {
    run("run-1", Entries.coverage(5, counted()));
    run("run-2", Entries.coverage(9, counted()));
    assertThat(AuditSummary.ofRun(file, "run-1").reported())
        .contains(Entries.coverage(5, counted()));
    AuditSummary all = AuditSummary.ofAllRuns(file);
    assertThat(all.runs()).containsExactly("run-1", "run-2");
    assertThat(all.total().failures()).isEqualTo(4);
    assertThat(all.tables().get(ITEMS).failures()).isEqualTo(2);
    assertThat(all.reported().map(Coverage::observed))
        .contains(
            Entries.coverage(5, counted()).observed() + Entries.coverage(9, counted()).observed());
    assertThatThrownBy(() -> AuditSummary.ofRun(file, "run-3"))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining("no run with this id");
  }

  /** Where the target lacks a table, its range check's end is the only record. */
  @Test
  void rangeChecksCountByTheirLastEndOfEachTable() {
    Coverage none = Entries.coverage(0, Map.of());
    try (FileAuditLog log = open("run-1")) {
      log.append(
          List.of(
              Entries.runStart(),
              rangeEnd(ITEMS, "proved", 0),
              rangeEnd(ITEMS, "failed", 0),
              rangeEnd(Entries.ORDERS, "failed", 0),
              rangeEnd(Entries.ORDERS, "proved", 1),
              Entries.runEnd(none)));
    }
    assertThat(AuditSummary.ofLastRun(file).ranges()).isEqualTo(new AuditSummary.Ranges(1, 1));
    try (FileAuditLog log = open("run-2")) {
      log.append(
          List.of(
              Entries.runStart(),
              rangeEnd(ITEMS, "skipped", 0),
              rangeEnd(Entries.ORDERS, "proved", 0),
              Entries.runEnd(none)));
    }
    assertThat(AuditSummary.ofLastRun(file).ranges()).isEqualTo(new AuditSummary.Ranges(0, 1));
    assertThat(AuditSummary.ofAllRuns(file).ranges()).isEqualTo(new AuditSummary.Ranges(1, 2));
  }

  /** What was given up stays open until all tables are looked at; then theirs is the last word. */
  @Test
  void aLookAtAllTablesThatWasGivenUpIsOpen() {
    AuditEntry givenUp =
        AuditEntry.RangeEnd.unread(Optional.empty(), "incomplete", Optional.of("given up"));
    try (FileAuditLog log = open("run-1")) {
      log.append(
          List.of(
              Entries.runStart(),
              givenUp,
              givenUp,
              rangeEnd(ITEMS, "proved", 0),
              Entries.runEnd(Entries.coverage(0, Map.of()))));
    }
    assertThat(AuditCheck.of(file).isWhole()).isTrue();
    assertThat(AuditSummary.ofLastRun(file).ranges()).isEqualTo(new AuditSummary.Ranges(0, 1));
    try (FileAuditLog log = open("run-2")) {
      log.append(
          List.of(Entries.runStart(), givenUp, new AuditEntry.RangesStart("schedule", 1), givenUp));
    }
    assertThat(AuditSummary.ofLastRun(file).ranges()).isEqualTo(new AuditSummary.Ranges(0, 1));
    try (FileAuditLog log = open("run-3")) {
      log.append(
          List.of(
              Entries.runStart(),
              givenUp,
              new AuditEntry.RangesStart("schedule", 1),
              rangeEnd(ITEMS, "failed", 0)));
    }
    assertThat(AuditSummary.ofLastRun(file).ranges()).isEqualTo(new AuditSummary.Ranges(1, 0));
  }

  private static AuditEntry rangeEnd(TableId table, String outcome, long targetOnly) {
    return new AuditEntry.RangeEnd(
        Optional.of(table),
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

  @Test
  void countsThatDifferFromTheRunsOwnAreNamed() {
    run("run-1", Entries.coverage(5, Map.of("converged", 1L, "incomplete", 2L, "advanced", 1L)));
    assertThat(AuditSummary.ofLastRun(file).disagreements())
        .containsExactly(
            "run run-1 counted 1 advanced in total, the records have 0",
            "run run-1 counted 2 incomplete in total, the records have 1",
            "run run-1 counted 0 unresolved_different in total, the records have 2");
  }

  @Test
  void aLastSummaryByTableMustAgreeToo() {
    try (FileAuditLog log = open("run-1")) {
      Coverage total = Entries.coverage(1, Map.of("unresolved_different", 1L));
      log.append(
          List.of(
              Entries.runStart(),
              Entries.different(Entries.ORDERS, "1"),
              Entries.summary(Map.of(ITEMS, total), total),
              Entries.runEnd(total)));
    }
    assertThat(AuditSummary.ofLastRun(file).disagreements())
        .containsExactly(
            "run run-1 counted 1 unresolved_different for public.items, the records have 0");
  }

  @Test
  void anEarlierSummaryIsNotHeldAgainstLaterDecisions() {
    Coverage before = Entries.coverage(1, Map.of());
    try (FileAuditLog log = open("run-1")) {
      log.append(
          List.of(
              Entries.runStart(),
              Entries.summary(Map.of(ITEMS, before), before),
              Entries.different(ITEMS, "1"),
              Entries.runEnd(Entries.coverage(1, Map.of("unresolved_different", 1L)))));
    }
    assertThat(AuditSummary.ofLastRun(file).disagreements()).isEmpty();
  }

  @Test
  void aRunThatWasKilledHasNoEndAndItsLastSummary() {
    Coverage sofar = Entries.coverage(3, Map.of());
    try (FileAuditLog log = open("run-1")) {
      log.append(List.of(Entries.runStart(), Entries.summary(Map.of(), sofar)));
      log.append(List.of(Entries.different(ITEMS, "1")));
    }
    AuditSummary summary = AuditSummary.ofLastRun(file);
    assertThat(summary.endedAt()).isEmpty();
    assertThat(summary.exitStatus()).isEmpty();
    assertThat(summary.reported()).contains(sofar);
    assertThat(summary.total().failures()).isEqualTo(1);
    assertThat(summary.disagreements()).isEmpty();
  }

  @Test
  void anEmptyOrMissingFileIsNotAnEmptySuccess() throws IOException {
    assertThatThrownBy(() -> AuditSummary.ofLastRun(file))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("--state-dir");
    Files.createDirectories(file.getParent());
    Files.createFile(file);
    assertThatThrownBy(() -> AuditSummary.ofLastRun(file))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining("no run yet");
  }

  private static Map<String, Long> counted() {
    return Map.of("converged", 1L, "incomplete", 1L, "unresolved_different", 2L);
  }

  private void run(String id, Coverage total) {
    try (FileAuditLog log = open(id)) {
      log.append(
          List.of(
              Entries.runStart(),
              Entries.observation("1"),
              Entries.different(Entries.ORDERS, "1"),
              Entries.incomplete(),
              Entries.drift()));
      log.append(
          List.of(
              Entries.different(ITEMS, "1"),
              Entries.decision(ITEMS, "2", new Verdict.Converged()),
              Entries.gap(),
              Entries.runEnd(total)));
    }
  }

  private FileAuditLog open(String runId) {
    return FileAuditLog.open(file, runId, Entries.clock(), AuditFile::open);
  }
}
