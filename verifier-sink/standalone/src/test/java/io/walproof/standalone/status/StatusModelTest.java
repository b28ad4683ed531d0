package io.walproof.standalone.status;

import static io.walproof.standalone.WrittenAudit.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.standalone.WrittenAudit;
import io.walproof.standalone.settings.StatusLimits;
import io.walproof.standalone.timeline.DriftEntry;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditSummary;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.RangeStage;
import io.walproof.verifier.schedule.OnHold;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From records to the status: the display rules, and the same figures as everywhere else. */
class StatusModelTest {

  private static final TableId ITEMS = new TableId("public", "items");

  @TempDir Path dir;
  private WrittenAudit audit;

  @BeforeEach
  void open() {
    audit = new WrittenAudit(dir.resolve("state")).append(WrittenAudit.start());
  }

  @AfterEach
  void close() {
    audit.close();
  }

  private Status status() {
    return status(audit.records(), StatusLimits.defaults());
  }

  private Status status(List<AuditRecord> records, StatusLimits limits) {
    StatusModel model = StatusModel.ofFile(limits, audit.file());
    records.forEach(model::add);
    model.caughtUp();
    return model.at(audit.now(), Optional.empty());
  }

  private void counted(long matched, long pending, Map<String, Long> outcomes) {
    audit.append(WrittenAudit.summary(ORDERS, WrittenAudit.coverage(matched, pending, outcomes)));
  }

  @Test
  void nothingCheckedIsNoEvidence() {
    assertThat(status().health()).isEqualTo(Health.NO_EVIDENCE);
    assertThat(
            StatusModel.ofFile(StatusLimits.defaults(), dir)
                .at(audit.now(), Optional.empty())
                .health())
        .as("no run at all")
        .isEqualTo(Health.INCOMPLETE);
  }

  @Test
  void pendingHidesNoFailureAndIncompleteIsNeverGreen() {
    counted(10, 0, Map.of());
    assertThat(status().health()).isEqualTo(Health.CLEAN);
    counted(10, 3, Map.of());
    assertThat(status().health()).isEqualTo(Health.PENDING);
    audit.append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.incomplete()));
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    audit.append(WrittenAudit.decided(ORDERS, "2", WrittenAudit.missing()));
    Status failing = status();
    assertThat(failing.health()).isEqualTo(Health.FAILING);
    assertThat(failing.total().pending()).as("1 of 3 pending keys ended twice").isEqualTo(1);
    assertThat(failing.reasons())
        .startsWith("1 confirmed failure that nothing is known to have mended")
        .contains("1 check ended without a judgement");
    assertThat(failing.tables().get(0).health()).isEqualTo(Health.FAILING);
  }

  @Test
  void skippedKeysGapsAndSilenceAreNotGreen() {
    audit.append(
        WrittenAudit.summary(
            ORDERS, new Coverage(3, 1, 0, Map.of("no_usable_key", 2L), 0, Map.of("matched", 1L))));
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    assertThat(status().scope().skipped()).containsKey(ORDERS);
    counted(10, 0, Map.of());
    assertThat(status().health()).isEqualTo(Health.CLEAN);
    audit.append(WrittenAudit.drift(DriftEvent.Kind.SHAPE_CHANGED, ORDERS));
    assertThat(status().health()).as("drift is told, and changes nothing").isEqualTo(Health.CLEAN);
    audit.pass(StatusLimits.defaults().silentAfter().plusSeconds(1));
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    assertThat(status().reasons().get(0)).contains("has written nothing since");
    counted(10, 0, Map.of());
    audit.append(WrittenAudit.drift(DriftEvent.Kind.NOTHING_DELIVERED, ORDERS));
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    assertThat(status().drift().get(0).isGap()).isTrue();
  }

  /** A source connector that dies before its gap is durable tells it again. */
  @Test
  void aGapThatIsToldAgainIsOne() throws Exception {
    StatusModel model = StatusModel.ofTopic(StatusLimits.defaults(), "shop.verify");
    audit.records().forEach(model::add);
    model.caughtUp();
    for (String each : List.of("24,\"lsn\":32", "24,\"lsn\":40", "25,\"lsn\":40")) {
      model.add(
          DriftEntry.of(
                  new ObjectMapper()
                      .readTree(
                          "{\"kind\":\"gap\",\"occurrence\":\"across_restart\",\"from\":"
                              + each
                              + "}"))
              .orElseThrow());
    }
    Status status = model.at(audit.now(), Optional.empty());
    assertThat(status.reasons()).anySatisfy(reason -> assertThat(reason).startsWith("2 gaps:"));
    assertThat(status.drift())
        .extracting(event -> event.from().orElseThrow() + " " + event.lsn())
        .containsExactly("0/19 0/28", "0/18 0/28");
  }

  /** A long file takes a while, and failures may stand at its end. */
  @Test
  void whatIsNotReadYetIsNotGreen() {
    counted(10, 0, Map.of());
    StatusModel model = StatusModel.ofFile(StatusLimits.defaults(), audit.file());
    audit.records().forEach(model::add);
    Status reading = model.at(audit.now(), Optional.empty());
    assertThat(reading.health()).isEqualTo(Health.INCOMPLETE);
    assertThat(reading.reasons()).containsExactly("the evidence so far is still being read");
    model.caughtUp();
    assertThat(model.at(audit.now(), Optional.empty()).health()).isEqualTo(Health.CLEAN);
    model.trouble("the disk is gone");
    model.caughtUp();
    assertThat(model.at(audit.now(), Optional.empty()).reasons())
        .containsExactly("the disk is gone");
  }

  /** Tasks write a topic at once; one that began after another's last record took its place. */
  @Test
  void tasksOfAClusterCountTogetherUntilOneTakesTheOthersPlace() {
    counted(10, 0, Map.of());
    audit.nextRun().append(WrittenAudit.start());
    counted(5, 0, Map.of());
    StatusModel model = StatusModel.ofTopic(StatusLimits.defaults(), "t");
    model.caughtUp();
    audit.records().forEach(model::add);
    assertThat(model.at(audit.now(), Optional.empty()).total().checked()).isEqualTo(15);
    audit.pass(Duration.ofSeconds(1)).nextRun().append(WrittenAudit.start());
    counted(2, 0, Map.of());
    audit.append(WrittenAudit.end(WrittenAudit.coverage(2, 0, Map.of()), 0));
    StatusModel later = StatusModel.ofTopic(StatusLimits.defaults(), "t");
    later.caughtUp();
    audit.records().forEach(later::add);
    assertThat(later.at(audit.now(), Optional.empty()).total().checked())
        .as("one that begins takes no place of those that go on")
        .isEqualTo(17);
    audit.pass(Duration.ofMinutes(6)).nextRun().append(WrittenAudit.start());
    counted(3, 0, Map.of());
    audit.records().stream().skip(7).forEach(later::add);
    assertThat(later.at(audit.now(), Optional.empty()).total().checked())
        .as("those that ended, or fell silent, are replaced")
        .isEqualTo(3);
  }

  @Test
  void afterTheEndNobodyIsVerifying() {
    counted(10, 0, Map.of());
    audit.append(WrittenAudit.end(WrittenAudit.coverage(10, 0, Map.of()), 0));
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    assertThat(status().reasons()).singleElement().asString().startsWith("nobody is verifying");
  }

  @Test
  void aRestartDoesNotForgetFailures() {
    audit
        .append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.missing()))
        .append(WrittenAudit.decided(ORDERS, "2", WrittenAudit.different()))
        .append(WrittenAudit.decided(ORDERS, "3", WrittenAudit.incomplete()))
        .nextRun()
        .append(WrittenAudit.start());
    counted(5, 0, Map.of());
    Status after = status();
    assertThat(after.health()).isEqualTo(Health.FAILING);
    assertThat(after.total().failures()).as("figures are this run's").isZero();
    assertThat(after.earlierFailures()).hasSize(2);
    assertThat(after.reasons().get(0)).startsWith("2 confirmed failures of earlier runs");
    assertThat(after.reasons().get(1)).startsWith("1 check of earlier runs ended without");
    assertThat(after.tables()).singleElement().matches(row -> row.health() == Health.FAILING);
    assertThat(Words.headline(after))
        .isEqualTo("2 rows of earlier runs are wrong, not known to be mended");
    assertThat(StatusJson.of(after))
        .contains("\"health\":\"failing\"", "\"open_failures\":2", "\"earlier_open_failures\":2")
        .contains("\"earlier_not_judged\":[{");

    audit.append(WrittenAudit.decided(ORDERS, "1", new Verdict.Converged()));
    assertThat(status().earlierFailures())
        .extracting(f -> f.key().texts().get(0))
        .containsExactly("2");
    audit.append(range(Optional.of(WrittenAudit.key("9"))), proved());
    assertThat(status().earlierFailures()).as("a part proves no table").hasSize(1);
    audit.pass(Duration.ofSeconds(1)).append(range(Optional.empty()), proved());
    assertThat(status().earlierFailures()).isEmpty();
    assertThat(status().health()).isEqualTo(Health.CLEAN);
  }

  /** Of each thing that a run may leave open: only what makes up for it makes the page clean. */
  @Test
  void aRestartMakesNothingClean() {
    counted(10, 0, Map.of());
    for (AuditEntry left :
        List.of(
            WrittenAudit.decided(ORDERS, "1", WrittenAudit.incomplete()),
            WrittenAudit.decided(ORDERS, "1", WrittenAudit.missing()),
            WrittenAudit.drift(DriftEvent.Kind.NOTHING_DELIVERED, ORDERS))) {
      audit.append(left).pass(Duration.ofSeconds(1));
      for (int restart = 0; restart < 3; restart++) {
        audit.nextRun().append(WrittenAudit.start());
        counted(5, 0, Map.of());
        Status after = status();
        boolean failed = after.openInAll() > 0;
        assertThat(after.health())
            .as(left + " after a restart")
            .isEqualTo(failed ? Health.FAILING : Health.INCOMPLETE);
        assertThat(after.tables())
            .singleElement()
            .matches(row -> row.health() == after.health(), "the row says so too");
        assertThat(after.reasons()).hasSize(1);
      }
      audit.pass(Duration.ofSeconds(1)).append(range(Optional.empty()), proved());
      assertThat(status().health()).as(left + " after a proof").isEqualTo(Health.CLEAN);
    }
  }

  /** A match leaves no record, so that only what was decided can close it. */
  @Test
  void aLaterDecisionMakesUpForACheckWithoutAJudgement() {
    for (Verdict next :
        List.of(new Verdict.Converged(), new Verdict.Advanced(), new Verdict.IgnoredApp(7))) {
      audit
          .append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.incomplete()))
          .nextRun()
          .append(WrittenAudit.start());
      counted(5, 0, Map.of());
      assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
      audit.append(WrittenAudit.decided(ORDERS, "2", next));
      assertThat(status().health()).as("another key").isEqualTo(Health.INCOMPLETE);
      audit.append(WrittenAudit.decided(ORDERS, "1", next));
      assertThat(status().health()).isEqualTo(Health.CLEAN);
    }
    audit
        .append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.missing()))
        .append(WrittenAudit.decided(ORDERS, "1", new Verdict.Advanced()))
        .nextRun()
        .append(WrittenAudit.start());
    counted(5, 0, Map.of());
    assertThat(status().health()).as("to have moved mends no failure").isEqualTo(Health.FAILING);
    audit.append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.missing()));
    assertThat(status().openInAll()).as("one key is one failure").isEqualTo(1);
  }

  @Test
  void whatIsCheckedAgainByItselfNeedsNoProof() {
    List<IncompleteReason> left = new ArrayList<>();
    for (IncompleteReason reason : IncompleteReason.values()) {
      audit
          .append(WrittenAudit.decided(ORDERS, "1", new Verdict.Incomplete(reason)))
          .pass(Duration.ofSeconds(1))
          .nextRun()
          .append(WrittenAudit.start());
      counted(5, 0, Map.of());
      if (status().health() == Health.INCOMPLETE) {
        left.add(reason);
      }
      audit.pass(Duration.ofSeconds(1)).append(range(Optional.empty()), proved());
      assertThat(status().health()).isEqualTo(Health.CLEAN);
    }
    assertThat(IncompleteReason.values())
        .filteredOn(reason -> !left.contains(reason))
        .containsExactlyInAnyOrder(
            IncompleteReason.CANCELLED,
            IncompleteReason.PARTITION_REVOKED,
            IncompleteReason.SHAPE_NOT_ACCEPTED);
    audit
        .append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.incomplete()))
        .append(
            WrittenAudit.decided(ORDERS, "1", new Verdict.Incomplete(IncompleteReason.CANCELLED)))
        .nextRun()
        .append(WrittenAudit.start());
    counted(5, 0, Map.of());
    assertThat(status().health()).as("it has not been checked yet").isEqualTo(Health.INCOMPLETE);
  }

  /** What the publication does not carry goes on being lost, whatever a check proved meanwhile. */
  @Test
  void aGapThatGoesOnIsClosedByNoProof() {
    counted(5, 0, Map.of());
    audit.append(published("published", "not published"), gap("left the publication"));
    audit.pass(Duration.ofSeconds(1)).append(range(Optional.empty()), proved());
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    audit.append(published("not published", "published"), gap("is published again"));
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    audit.pass(Duration.ofSeconds(1)).append(range(Optional.empty()), proved());
    assertThat(status().health()).isEqualTo(Health.CLEAN);
  }

  private static AuditEntry published(String before, String after) {
    return drift(
        DriftEvent.Kind.CATALOG_CHANGED,
        List.of(
            new DriftEvent.ColumnChange(
                "", DriftEvent.ColumnChange.What.PUBLISHED, before, after, false)),
        "seen in the catalog");
  }

  private static AuditEntry gap(String detail) {
    return drift(DriftEvent.Kind.GAP, List.of(), detail);
  }

  private static AuditEntry drift(
      DriftEvent.Kind kind, List<DriftEvent.ColumnChange> changes, String detail) {
    return new AuditEntry.Drift(
        new DriftEvent(
            kind,
            DriftEvent.Occurrence.IN_PROCESS,
            Optional.of(ORDERS),
            WrittenAudit.BOUNDARY,
            0,
            Optional.empty(),
            Optional.empty(),
            changes,
            Optional.empty(),
            "report",
            "reported",
            detail,
            Optional.empty()));
  }

  /** Nobody knows whose changes a gap of the whole stream holds. */
  @Test
  void aGapOfTheStreamIsClosedByProofsOfAllTables() {
    AuditEntry gap =
        new AuditEntry.Drift(
            new DriftEvent(
                DriftEvent.Kind.GAP,
                DriftEvent.Occurrence.ACROSS_RESTART,
                Optional.empty(),
                WrittenAudit.BOUNDARY,
                0,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                "report",
                "accepted",
                "the slot was lost",
                Optional.of(WrittenAudit.BOUNDARY)));
    audit.append(WrittenAudit.decided(ITEMS, "1", new Verdict.Converged()));
    audit.append(range(Optional.empty()), proved(), gap).pass(Duration.ofSeconds(1));
    audit.nextRun().append(WrittenAudit.start());
    counted(5, 0, Map.of());
    audit.append(range(Optional.empty()), proved());
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    assertThat(status().tables())
        .extracting(Status.Table::table, Status.Table::health)
        .as("the one that was proved is clean")
        .contains(tuple(ORDERS, Health.CLEAN));
    audit.append(range(ITEMS, Optional.empty(), false), ended(ITEMS, "proved", 0));
    assertThat(status().health()).isEqualTo(Health.CLEAN);
    audit.append(gap);
    assertThat(status().health()).as("told again").isEqualTo(Health.INCOMPLETE);
  }

  @Test
  void whatIsLeftOpenBeyondTheBoundsIsCountedUntilAProof() {
    StatusLimits few = new StatusLimits(2, 3, 5, 4, 1, 2, 2, 2, 9, Duration.ofMinutes(5));
    for (int key = 0; key < 20; key++) {
      audit.append(WrittenAudit.decided(ORDERS, "k" + key, WrittenAudit.incomplete()));
    }
    for (int gap = 0; gap < 5; gap++) {
      audit.append(
          WrittenAudit.drift(DriftEvent.Kind.NOTHING_DELIVERED, new TableId("public", "t" + gap)));
    }
    for (int run = 0; run < 5; run++) {
      audit.pass(Duration.ofSeconds(1)).nextRun().append(WrittenAudit.start());
    }
    counted(5, 0, Map.of());
    Status after = status(audit.records(), few);
    assertThat(after.earlierNotJudgedLeftOut()).isEqualTo(20);
    assertThat(after.reasons().get(0)).startsWith("20 checks of earlier runs");
    assertThat(after.reasons().get(1)).startsWith("5 gaps: ");
    for (int key = 0; key < 20; key++) {
      audit.append(WrittenAudit.decided(ORDERS, "k" + key, new Verdict.Converged()));
    }
    assertThat(status(audit.records(), few).reasons().get(0))
        .as("which keys they were is forgotten, that there were some is not")
        .startsWith("20 checks of earlier runs");
    audit.append(range(Optional.empty()), proved());
    assertThat(status(audit.records(), few).reasons().get(0)).startsWith("5 gaps: ");
    for (int gap = 0; gap < 5; gap++) {
      TableId table = new TableId("public", "t" + gap);
      audit.append(range(table, Optional.empty(), false), ended(table, "proved", 0));
    }
    assertThat(status(audit.records(), few).health()).isEqualTo(Health.CLEAN);
  }

  /** A change's key has its columns in the table's order, a range check's in the index's. */
  @Test
  void aKeyIsOneInWhateverOrderOfItsColumns() {
    RowKey.Column item = new RowKey.Column("item", "7");
    RowKey.Column shop = new RowKey.Column("shop", "1");
    RowKey byTable = new RowKey(List.of(item, shop));
    RowKey byIndex = new RowKey(List.of(shop, item));
    audit
        .append(WrittenAudit.decided(ORDERS, byTable, WrittenAudit.missing()))
        .append(WrittenAudit.decided(ORDERS, byIndex, WrittenAudit.missing()));
    assertThat(status().failures()).hasSize(1);

    audit.append(WrittenAudit.decided(ORDERS, byTable, new Verdict.Converged()));
    assertThat(status().failures()).isEmpty();
  }

  @Test
  void aProofHealsOnlyWhatWasDecidedBefore() {
    audit.append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.missing()));
    audit.append(WrittenAudit.decided(ITEMS, "1", WrittenAudit.missing()));
    audit.pass(Duration.ofSeconds(1)).append(range(Optional.empty())).pass(Duration.ofSeconds(1));
    audit.append(WrittenAudit.decided(ORDERS, "2", WrittenAudit.missing()), proved());
    assertThat(status().failures())
        .extracting(f -> f.table().name() + f.key().texts().get(0))
        .containsExactlyInAnyOrder("orders2", "items1");
    assertThat(status().total().failures()).as("counts stay what was recorded").isEqualTo(3);
  }

  @Test
  void listsAreCutAndSayBy() {
    StatusLimits few = new StatusLimits(2, 3, 5, 4, 1, 2, 2, 2, 9, Duration.ofMinutes(5));
    for (int table = 0; table < 4; table++) {
      for (int key = 0; key < 5; key++) {
        audit.append(
            WrittenAudit.decided(
                new TableId("public", "t" + table), "k" + key, WrittenAudit.missing()));
      }
      audit.append(WrittenAudit.drift(DriftEvent.Kind.SHAPE_CHANGED, ORDERS));
    }
    Status status = status(audit.records(), few);
    assertThat(status.openFailures()).isEqualTo(20);
    assertThat(status.failures()).hasSize(4);
    assertThat(status.failuresLeftOut()).isEqualTo(16);
    assertThat(status.tables()).hasSize(2);
    assertThat(status.tablesLeftOut()).isEqualTo(2);
    assertThat(status.drift()).hasSize(2);
    assertThat(status.driftLeftOut()).isEqualTo(2);
    String page = StatusPage.of(status);
    assertThat(page)
        .contains(
            "Shown: 4 of 20 open failures (status.failures.shown.max, and what is kept of each")
        .contains("Shown: 2 of 4 tables (status.tables.max); none of the others is worse.")
        .contains("Shown: 2 of 4 events (status.drift.max), the newest.");
    assertThat(status.leftOut()).isEqualTo(16 + 2 + 2);
    for (int run = 0; run < 4; run++) {
      audit.pass(Duration.ofSeconds(1)).nextRun().append(WrittenAudit.start());
    }
    assertThat(status(audit.records(), few).earlierLeftOut())
        .as("runs that were let go are counted")
        .isEqualTo(20);
    assertThat(StatusPage.of(status(audit.records(), few)))
        .contains("3 older runs are only counted (status.runs.max)");
  }

  @Test
  void figuresAreThoseOfTheSummaryInWhateverOrderRecordsCome() {
    Map<String, Long> outcomes =
        Map.of("unresolved_missing", 1L, "converged", 2L, "incomplete", 1L, "advanced", 1L);
    audit.append(
        WrittenAudit.observed(ORDERS, "1"),
        WrittenAudit.observed(ORDERS, "2"),
        WrittenAudit.decided(ORDERS, "1", new Verdict.Converged()),
        WrittenAudit.decided(ORDERS, "2", new Verdict.Converged()),
        WrittenAudit.decided(ORDERS, "3", new Verdict.Advanced()),
        WrittenAudit.decided(ORDERS, "4", WrittenAudit.missing()),
        WrittenAudit.decided(ORDERS, "5", WrittenAudit.incomplete()));
    counted(7, 0, outcomes);
    audit.append(WrittenAudit.end(WrittenAudit.coverage(7, 0, outcomes), 2));
    AuditSummary summary = AuditSummary.ofLastRun(audit.file());
    List<AuditRecord> records = new ArrayList<>(audit.records());
    for (int round = 0; round < 20; round++) {
      Collections.shuffle(records, new Random(round));
      Status status = status(records, StatusLimits.defaults());
      assertThat(status.total()).isEqualTo(summary.reported().orElseThrow());
      assertThat(status.disagreements()).isEmpty();
      assertThat(status.incompleteReasons()).isEqualTo(summary.total().incompleteReasons());
    }
    assertThat(summary.total().outcomes()).isEqualTo(outcomes);
  }

  @Test
  void aDisagreementIsNotGreen() {
    counted(7, 0, Map.of("converged", 1L));
    audit.append(WrittenAudit.end(WrittenAudit.coverage(7, 0, Map.of("converged", 1L)), 0));
    assertThat(status().reasons().get(0)).contains("counted 1 converged in total");
  }

  @Test
  void howLongKeysWereWrongIsMeasured() {
    audit.append(WrittenAudit.observed(ORDERS, "1"), WrittenAudit.observed(ORDERS, "2"));
    audit.append(WrittenAudit.observed(ITEMS, "1"));
    audit.pass(Duration.ofSeconds(60));
    audit.append(WrittenAudit.decided(ORDERS, "1", new Verdict.Converged()));
    audit.pass(Duration.ofMillis(1));
    audit.append(WrittenAudit.decided(ORDERS, "2", new Verdict.Converged()));
    audit.append(WrittenAudit.decided(ITEMS, "1", WrittenAudit.missing()));
    assertThat(status().wrongFor())
        .filteredOn(bucket -> bucket.keys() > 0)
        .containsExactly(new WrongFor.Bucket(60, 1), new WrongFor.Bucket(120, 1));
  }

  /** A table that is far behind is not hidden by one that is not. */
  @Test
  void eachTableSaysHowOldItsPendingIsAndHowFarItWasConfirmed() {
    audit.append(WrittenAudit.observed(ORDERS, "1")).pass(Duration.ofSeconds(10));
    audit.append(WrittenAudit.observed(ITEMS, "1")).pass(Duration.ofSeconds(10));
    audit.append(WrittenAudit.observed(ORDERS, "2"));
    audit.append(WrittenAudit.decided(ORDERS, "1", new Verdict.Converged()));
    audit.pass(Duration.ofSeconds(5)).append(WrittenAudit.observed(ORDERS, "1"));
    Coverage counts = WrittenAudit.coverage(1, 1, Map.of());
    audit.append(
        new AuditEntry.Summary(
            counts.plus(counts), Map.of(ORDERS, counts, ITEMS, counts), Map.of(), Map.of()));
    Status status = status();
    assertThat(status.tables())
        .extracting(Status.Table::table, row -> row.oldestPending().orElseThrow())
        .containsExactlyInAnyOrder(
            tuple(ORDERS, Duration.ofSeconds(5)), tuple(ITEMS, Duration.ofSeconds(15)));
    assertThat(status.oldestPending()).contains(Duration.ofSeconds(15));
    assertThat(status.tables())
        .filteredOn(row -> row.replay().isPresent())
        .extracting(Status.Table::table, row -> row.replay().get().boundary())
        .containsExactly(tuple(ORDERS, WrittenAudit.BOUNDARY.toString()));
    assertThat(StatusJson.of(status))
        .contains("\"oldest_pending_ms\":15000", "\"lag_ms\":5000", "\"oldest_pending_ms\":5000");
    assertThat(StatusPage.of(status))
        .contains(">0/16B3748, 5 s ago</td>", ">not asked</td>", ">15 s</td>", ">5 s</td>");
  }

  /** A key that is seen again waits from then on: another one may be the oldest now. */
  @Test
  void theOldestOnHoldIsTheOldestInWhateverOrder() {
    audit.append(WrittenAudit.observed(ORDERS, "1")).pass(Duration.ofSeconds(10));
    audit.append(WrittenAudit.observed(ORDERS, "2")).pass(Duration.ofSeconds(10));
    audit.append(WrittenAudit.observed(ORDERS, "1"));
    counted(1, 2, Map.of());
    assertThat(status().oldestPending()).contains(Duration.ofSeconds(10));
  }

  /** What the target lacks altogether ends a check before it begins. */
  @Test
  void aCheckThatCouldReadNothingIsShown() {
    counted(10, 0, Map.of());
    audit.append(ended("failed", 0));
    assertThat(status().health()).isEqualTo(Health.FAILING);
    assertThat(status().ranges()).singleElement().matches(range -> range.endedAt().isPresent());
    assertThat(StatusPage.of(status())).doesNotContain("to the end");
    audit.append(ended("incomplete", 0), ended("proved", 0));
    assertThat(status().health()).as("nothing was read since").isEqualTo(Health.FAILING);
    audit.append(range(Optional.empty()), proved());
    assertThat(status().health()).isEqualTo(Health.CLEAN);
    audit.append(ended("skipped", 0));
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    assertThat(status().reasons()).singleElement().asString().contains("skipped");
  }

  @Test
  void whatIsDivertedIsNotClean() {
    counted(10, 0, Map.of());
    StatusModel model = StatusModel.ofFile(StatusLimits.defaults(), audit.file());
    audit.records().forEach(model::add);
    model.caughtUp();
    assertThat(model.at(audit.now(), Optional.of(live(0))).health()).isEqualTo(Health.CLEAN);
    Status diverted = model.at(audit.now(), Optional.of(live(2)));
    assertThat(diverted.health()).isEqualTo(Health.INCOMPLETE);
    assertThat(diverted.reasons()).singleElement().asString().contains("drift.accept");
    assertThat(StatusJson.of(diverted)).contains("\"diverted\":2");
  }

  /** Known from the records as well as to the process itself, so that no page of it is green. */
  @Test
  void whatIsNotComparedIsSaidAndNotClean() {
    ColumnsLeftOut left =
        new ColumnsLeftOut(List.of("p: point on both sides"), List.of("note"), List.of("own"));
    Coverage counts = WrittenAudit.coverage(10, 0, Map.of());
    audit.append(
        new AuditEntry.Summary(counts, Map.of(ORDERS, counts), Map.of(), Map.of(ORDERS, left)));
    Status status = status();
    assertThat(status.health()).isEqualTo(Health.INCOMPLETE);
    assertThat(status.reasons()).containsExactly("columns that are not compared, in 1 table");
    assertThat(status.tables()).singleElement().matches(row -> row.health() == Health.INCOMPLETE);
    assertThat(StatusPage.of(status))
        .contains("<dt>Columns not compared</dt><dd>public.orders (p: point on both sides)</dd>")
        .contains("<dt>Columns excluded by setting</dt><dd>public.orders (note)</dd>")
        .contains("<dt>Columns not published</dt><dd>public.orders (own)</dd>");
    assertThat(StatusJson.of(status))
        .contains("\"columns\":[\"p: point on both sides\"]", "\"columns_excluded\":[{")
        .contains("\"columns\":[\"note\"]", "\"columns\":[\"own\"]");
    StatusModel cluster = StatusModel.ofTopic(StatusLimits.defaults(), "shop.verify");
    audit.records().forEach(cluster::add);
    cluster.caughtUp();
    assertThat(cluster.at(audit.now(), Optional.empty()).reasons())
        .as("from a topic, too")
        .containsExactly("columns that are not compared, in 1 table");
    assertThat(AuditSummary.ofLastRun(audit.file()).columns()).isEqualTo(Map.of(ORDERS, left));

    ColumnsLeftOut byChoice = new ColumnsLeftOut(List.of(), List.of("note"), List.of("own"));
    audit.append(
        new AuditEntry.Summary(counts, Map.of(ORDERS, counts), Map.of(), Map.of(ORDERS, byChoice)));
    assertThat(status().health()).as("the last word, by choice").isEqualTo(Health.CLEAN);
    assertThat(StatusPage.of(status()))
        .contains("<dt>Columns not compared</dt><dd>none</dd>")
        .contains("<dt>Columns not published</dt><dd>public.orders (own)</dd>");
  }

  @Test
  void anOlderWritersColumnsAreUnknownAndNotClean() {
    audit
        .nextRun()
        .append(new AuditEntry.RunStart(1, "none", List.of(), Map.of(), Optional.empty()));
    assertThat(status().health()).isEqualTo(Health.NO_EVIDENCE);
    counted(10, 0, Map.of());
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    assertThat(status().reasons()).singleElement().asString().contains("is not known of 1 table");
    assertThat(StatusPage.of(status()))
        .contains("<dt>Columns not compared</dt><dd>unknown of 1 tables</dd>");
    Coverage counts = WrittenAudit.coverage(10, 0, Map.of());
    ColumnsLeftOut none = new ColumnsLeftOut(List.of(), List.of(), List.of());
    audit.append(
        new AuditEntry.Summary(counts, Map.of(ORDERS, counts), Map.of(), Map.of(ORDERS, none)));
    assertThat(status().health()).isEqualTo(Health.CLEAN);
  }

  private static LiveFigures live(long diverted, RangeCheck.Status... checks) {
    return new LiveFigures(
        Map.of(ORDERS, WrittenAudit.coverage(10, 0, Map.of())),
        OnHold.NONE,
        Duration.ZERO,
        0,
        0,
        Map.of(),
        diverted,
        Optional.empty(),
        List.of(checks),
        12,
        OptionalLong.empty());
  }

  /** Only the verifying process knows how far its own check has come. */
  @Test
  void aCheckThatIsUnderWayShowsHowFarItHasCome() {
    audit.append(range(Optional.empty()));
    RangeResult.Progress progress =
        new RangeResult.Progress(1_200, 50_000, 3, 1, false, Optional.of(WrittenAudit.key("1200")));
    StatusModel model = StatusModel.ofFile(StatusLimits.defaults(), audit.file());
    audit.records().forEach(model::add);
    model.caughtUp();
    Status shown =
        model.at(
            audit.now(),
            Optional.of(
                live(
                    0,
                    new RangeCheck.Status(
                        ORDERS, 1, 1, progress, 40_000, false, RangeStage.RESTING))));
    assertThat(StatusPage.of(shown))
        .contains("up to id = 1200", "1,200 of about 40,000", "3, 1", "running")
        .contains("resting between reads (verify.duty.cycle)", "Not begun: 12.");
    assertThat(StatusJson.of(shown))
        .contains("\"covered_to\":{\"id\":\"1200\"}", "\"rows\":1200", "\"estimated_rows\":40000")
        .contains("\"stage\":\"resting\"", "\"ranges_waiting\":12");
    Status elsewhere = model.at(audit.now(), Optional.empty());
    assertThat(StatusPage.of(elsewhere)).contains("running").doesNotContain("1,200");
    assertThat(StatusJson.of(elsewhere)).doesNotContain("\"rows\"");

    audit.append(ended("proved", 0));
    StatusModel later = StatusModel.ofFile(StatusLimits.defaults(), audit.file());
    audit.records().forEach(later::add);
    later.caughtUp();
    Status end =
        later.at(
            audit.now(),
            Optional.of(
                live(
                    0,
                    new RangeCheck.Status(
                        ORDERS, 1, 1, progress, 40_000, false, RangeStage.RESTING))));
    assertThat(StatusPage.of(end)).as("its record counts").contains("to the end");
  }

  @Test
  void anEndWithoutABeginningProvesNoTable() {
    audit.append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.missing()));
    audit.pass(Duration.ofSeconds(1)).append(proved());
    assertThat(status().openFailures()).isEqualTo(1);
  }

  @Test
  void rowsThatOnlyTheTargetHasAreNotClean() {
    counted(10, 0, Map.of());
    audit.append(range(Optional.empty()), ended("proved", 3));
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    assertThat(status().reasons()).singleElement().asString().contains("3 rows that only");
    assertThat(StatusPage.of(status())).contains("to the end");
  }

  @Test
  void aNewCheckHidesNoOutcomeBeforeItsEnd() {
    counted(10, 0, Map.of());
    audit.append(range(Optional.empty()));
    assertThat(status().health()).as("under way").isEqualTo(Health.PENDING);
    audit.append(ended("failed", 0));
    assertThat(status().health()).isEqualTo(Health.FAILING);
    audit.append(range(Optional.empty()));
    assertThat(status().health()).as("not ended yet").isEqualTo(Health.FAILING);
    audit.append(ended("incomplete", 0));
    assertThat(status().health()).as("did not look at all").isEqualTo(Health.FAILING);
    audit.append(range(Optional.of(WrittenAudit.key("9"))), proved());
    assertThat(status().health()).as("a part of it").isEqualTo(Health.FAILING);
    audit.append(range(Optional.empty()), proved());
    assertThat(status().health()).isEqualTo(Health.CLEAN);
    assertThat(status().ranges()).hasSize(1);
  }

  @Test
  void aCheckWhoseRunIsGoneWasCutOff() {
    counted(10, 0, Map.of());
    audit.append(range(Optional.empty()));
    audit.append(WrittenAudit.end(WrittenAudit.coverage(10, 0, Map.of()), 3));
    assertThat(status().reasons()).anyMatch(reason -> reason.contains("cut off"));
    audit.nextRun().append(WrittenAudit.start());
    counted(10, 0, Map.of());
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    assertThat(status().reasons()).singleElement().asString().contains("cut off");
    audit.append(range(Optional.empty()));
    assertThat(status().health()).as("begun again").isEqualTo(Health.PENDING);
    audit.pass(StatusLimits.defaults().silentAfter().plusSeconds(1));
    assertThat(status().reasons()).anyMatch(reason -> reason.contains("cut off"));
    audit.append(proved());
    assertThat(status().health()).isEqualTo(Health.CLEAN);
  }

  @Test
  void aLookAtAllTablesThatWasGivenUpIsAReasonUntilThereIsAnother() {
    AuditEntry givenUp =
        AuditEntry.RangeEnd.unread(
            Optional.empty(), "incomplete", Optional.of("given up, the servers are away"));
    counted(10, 0, Map.of());
    audit.append(givenUp);
    assertThat(status().health()).isEqualTo(Health.INCOMPLETE);
    assertThat(status().reasons()).containsExactly("given up, the servers are away");
    assertThat(status().ranges()).as("no table was looked at").isEmpty();
    audit.append(new AuditEntry.RangesStart("schedule", 1));
    assertThat(status().health()).isEqualTo(Health.CLEAN);
    audit.append(givenUp).nextRun().append(WrittenAudit.start());
    counted(10, 0, Map.of());
    assertThat(status().health()).as("the next run's checks are its own").isEqualTo(Health.CLEAN);
  }

  @Test
  void aProofThatLeftOutColumnsOrRowsMendsNothing() {
    audit.append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.missing()));
    audit.pass(Duration.ofSeconds(1)).append(range(ORDERS, Optional.empty(), true), proved());
    assertThat(status().openFailures()).isEqualTo(1);
    audit.append(range(ORDERS, Optional.empty(), false), proved());
    assertThat(status().openFailures()).isZero();
  }

  @Test
  void whatThereIsNoRoomForIsCountedAndProofsGoFirst() {
    counted(10, 0, Map.of());
    StatusLimits two = new StatusLimits(2, 3, 5, 4, 1, 2, 2, 2, 9, Duration.ofMinutes(5));
    audit.append(range(ORDERS, Optional.empty(), false), ended("failed", 0));
    for (int part = 0; part < 4; part++) {
      audit.append(range(Optional.of(WrittenAudit.key("k" + part))), proved());
    }
    assertThat(status(audit.records(), two).health()).isEqualTo(Health.FAILING);
    assertThat(status(audit.records(), two).ranges()).hasSize(2);
    assertThat(status(audit.records(), two).reasons()).hasSize(1);
    for (int table = 0; table < 4; table++) {
      TableId other = new TableId("public", "t" + table);
      audit.append(range(other, Optional.empty(), false), ended(other, "failed", 0));
    }
    audit.append(range(ORDERS, Optional.empty(), false), proved());
    Status many = status(audit.records(), two);
    assertThat(many.ranges()).hasSize(2);
    assertThat(StatusPage.of(many)).contains("(status.ranges.max); proved ones make room first.");
    assertThat(many.rangesLeftOut()).isEqualTo(8);
    assertThat(many.reasons()).contains("4 range checks that failed and are not shown");
  }

  private static AuditEntry range(Optional<RowKey> to) {
    return range(ORDERS, to, false);
  }

  private static AuditEntry range(TableId table, Optional<RowKey> to, boolean narrowed) {
    return new AuditEntry.RangeStart(
        table, "request", Optional.empty(), true, to, true, "by_order", 1, false, narrowed);
  }

  private static AuditEntry proved() {
    return ended("proved", 0);
  }

  private static AuditEntry ended(String outcome, long targetOnly) {
    return ended(ORDERS, outcome, targetOnly);
  }

  private static AuditEntry ended(TableId table, String outcome, long targetOnly) {
    return new AuditEntry.RangeEnd(
        Optional.of(table),
        outcome,
        Optional.of("live"),
        10,
        1,
        0,
        Map.of(),
        targetOnly,
        List.of(),
        Optional.empty(),
        Optional.empty());
  }
}
