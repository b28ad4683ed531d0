package io.walproof.verifier.schedule;

import static io.walproof.verifier.schedule.Schedules.A;
import static io.walproof.verifier.schedule.Schedules.B;
import static io.walproof.verifier.schedule.Schedules.C;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.core.ManualTime;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.OffsetClaims;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.range.RangeException;
import io.walproof.verifier.range.RangeOutcome;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.Route;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scheduler's threads, with hand-written work and a clock that is moved by hand. */
class RangeSchedulerTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(30);

  @TempDir Path directory;

  private final ManualTime time = new ManualTime();
  private final RangeFigures figures = new RangeFigures();
  private final Work work = new Work();
  private final List<RangeScheduler> started = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    work.gate.countDown();
    for (RangeScheduler each : started) {
      assertThat(each.stop(STOP)).isTrue();
    }
  }

  private RangeScheduler start(ScheduleSettings settings) {
    return start(settings, Optional.empty());
  }

  private RangeScheduler start(ScheduleSettings settings, Optional<ScheduleFile> file) {
    RangeScheduler scheduler = new RangeScheduler(time, settings, work, figures, file);
    started.add(scheduler);
    scheduler.start();
    return scheduler;
  }

  private AuditEntry.RangeEnd onlyEnd() {
    assertThat(work.recorded).hasSize(1);
    return (AuditEntry.RangeEnd) work.recorded.get(0);
  }

  private static DriftEvent event(DriftEvent.Kind kind, Optional<TableId> table) {
    return new DriftEvent(
        kind,
        DriftEvent.Occurrence.IN_PROCESS,
        table,
        new Lsn(1),
        0,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        "report",
        "reported",
        "");
  }

  @Test
  void aStartChecksEveryTableAndThenHoldsNothingOpen() {
    RangeScheduler scheduler = start(Schedules.of(true, null, 100, 2));
    await().atMost(PATIENCE).until(() -> figures.ended() == 3 && scheduler.isIdle());
    assertThat(work.checked).containsExactlyInAnyOrder(A, B, C);
    await().atMost(PATIENCE).until(() -> work.open.get() == 0);
    assertThat(figures.tables()).isEqualTo(3);
    assertThat(figures.open()).isZero();
    // What the checks' keys came to stays after the connections are gone.
    assertThat(scheduler.keys().get(A).observed()).isEqualTo(1);
  }

  /** Loads one table's worth at a time, and yet no table waits for another's verdicts. */
  @Test
  void oneTableIsReadAtATimeWhileOthersAwaitVerdicts() {
    work.awaitsVerdicts = true;
    RangeScheduler scheduler = start(Schedules.of(true, null, 100, 2));
    await().atMost(PATIENCE).until(() -> work.awaiting.get() == 3);
    assertThat(scheduler.running()).isEqualTo(3);
    assertThat(work.mostReading.get()).isEqualTo(1);
    assertThat(scheduler.isIdle()).isFalse();
    OnHold own = new OnHold(1, Duration.ofSeconds(5));
    assertThat(own.and(scheduler.onHold())).isEqualTo(new OnHold(3, Duration.ofSeconds(5)));
    work.gate.countDown();
    await().atMost(PATIENCE).until(() -> figures.ended() == 3);
    assertThat(work.mostReading.get()).isEqualTo(1);
    await().atMost(PATIENCE).until(() -> work.open.get() == 0);
    await().atMost(PATIENCE).until(() -> scheduler.onHold().equals(OnHold.NONE));
  }

  @Test
  void theScheduleChecksAgain() {
    start(Schedules.of(false, Duration.ofMinutes(5), 100, 2));
    time.advance(Duration.ofMinutes(4));
    assertThat(work.surveys.get()).isZero();
    time.advance(Duration.ofMinutes(1));
    await().atMost(PATIENCE).until(() -> figures.ended() == 3);
    time.advance(Duration.ofMinutes(5));
    await().atMost(PATIENCE).until(() -> figures.ended() == 6);
  }

  @Test
  void onlySomeDriftSetsOffChecks() {
    RangeScheduler scheduler = start(Schedules.of(false, null, 100, 2));
    AtomicInteger settled = new AtomicInteger();
    for (DriftEvent.Kind kind : DriftEvent.Kind.values()) {
      boolean expected =
          switch (kind) {
            case TABLE_RECREATED, GAP, NOTHING_DELIVERED -> true;
            case INITIAL,
                SHAPE_CHANGED,
                COLUMN_ORDER_CHANGED,
                KEY_CHANGED,
                REPLICA_IDENTITY_CHANGED,
                SHAPE_ACCEPTED,
                CATALOG_CHANGED,
                BASELINE_LOST ->
                false;
          };
      assertThat(scheduler.drift(event(kind, Optional.of(B)), settled::incrementAndGet))
          .as(kind.name())
          .isEqualTo(expected);
    }
    await()
        .atMost(PATIENCE)
        .until(() -> settled.get() == DriftEvent.Kind.values().length && scheduler.isIdle());
    assertThat(work.checked).isNotEmpty().containsOnly(B);
    assertThat(work.restarts).doesNotContain(false);
  }

  @Test
  void aGapOfTheWholeStreamChecksAll() {
    RangeScheduler scheduler = start(Schedules.of(false, null, 100, 2));
    scheduler.drift(event(DriftEvent.Kind.GAP, Optional.empty()), () -> {});
    await().atMost(PATIENCE).until(() -> figures.ended() == 3);
    assertThat(work.checked).containsExactlyInAnyOrder(A, B, C);
  }

  @Test
  void serversThatAreAwayAreTriedAgainAndThenGivenUpWithARecord() {
    work.away = true;
    RangeScheduler scheduler = start(Schedules.of(false, null, 100, 2));
    AtomicInteger settled = new AtomicInteger();
    scheduler.drift(
        event(DriftEvent.Kind.TABLE_RECREATED, Optional.of(A)), settled::incrementAndGet);
    for (int attempt = 1; attempt <= 3; attempt++) {
      int expected = attempt;
      await().atMost(PATIENCE).until(() -> figures.failedRounds() == expected);
      time.advance(Duration.ofSeconds(30));
    }
    await().atMost(PATIENCE).until(scheduler::isIdle);
    assertThat(settled.get()).isEqualTo(1);
    AuditEntry.RangeEnd end = onlyEnd();
    assertThat(end.table()).contains(A);
    assertThat(end.outcome()).isEqualTo("incomplete");
    assertThat(end.detail().orElseThrow()).contains("away");
    assertThat(figures.open()).isPositive();
    // Not for ever.
    time.advance(Duration.ofHours(1));
    assertThat(work.surveys.get()).isEqualTo(3);
  }

  @Test
  void serversThatComeBackAreUsed() {
    work.away = true;
    start(Schedules.of(true, null, 100, 2));
    await().atMost(PATIENCE).until(() -> figures.failedRounds() == 1);
    work.away = false;
    time.advance(Duration.ofSeconds(30));
    await().atMost(PATIENCE).until(() -> figures.ended() == 3);
    assertThat(figures.open()).isZero();
    assertThat(work.recorded).isEmpty();
  }

  /**
   * Whatever asks for all tables; and the next look at all of them says that it makes up for it.
   */
  @Test
  void allTablesGivenUpAreRecordedToo() {
    work.away = true;
    RangeScheduler scheduler = start(Schedules.of(true, Duration.ofHours(2), 100, 0));
    await().atMost(PATIENCE).until(() -> figures.givenUp() == 1 && scheduler.isIdle());
    AuditEntry.RangeEnd end = onlyEnd();
    assertThat(end.table()).isEmpty();
    assertThat(end.outcome()).isEqualTo("incomplete");
    assertThat(end.detail().orElseThrow()).contains("resume").contains("away");
    assertThat(figures.open()).isEqualTo(1);

    List<Integer> recordedThen = Collections.synchronizedList(new ArrayList<>());
    time.advance(Duration.ofSeconds(30));
    scheduler.drift(
        event(DriftEvent.Kind.GAP, Optional.empty()), () -> recordedThen.add(work.recorded.size()));
    await().atMost(PATIENCE).until(() -> !recordedThen.isEmpty());
    assertThat(recordedThen).as("invariant B").containsExactly(2);

    work.away = false;
    time.advance(Duration.ofHours(2));
    await().atMost(PATIENCE).until(() -> figures.ended() == 3);
    assertThat(figures.open()).isZero();
    assertThat(work.recorded.subList(2, work.recorded.size()))
        .containsExactly(new AuditEntry.RangesStart("schedule", 3));
  }

  /** A stream of news ends rounds early, and yet every round does something. */
  @Test
  void newsThatNeverEndsKeepsNothingFromBeginning() {
    RangeScheduler scheduler =
        new RangeScheduler(time, Schedules.of(true, null, 100, 2), work, figures, Optional.empty());
    started.add(scheduler);
    work.onOpen = () -> scheduler.drift(event(DriftEvent.Kind.GAP, Optional.of(B)), () -> {});
    scheduler.start();
    await().atMost(PATIENCE).until(() -> Set.copyOf(work.checked).contains(B));
    await().atMost(PATIENCE).until(() -> work.checked.size() > 20);
    work.onOpen = () -> {};
    await().atMost(PATIENCE).until(scheduler::isIdle);
    assertThat(work.checked).contains(A, B, C);
  }

  /** Invariant B: what is given up is recorded before anybody may forget it. */
  @Test
  void whatIsGivenUpIsRecordedFirst() {
    work.away = true;
    RangeScheduler scheduler = start(Schedules.of(false, null, 100, 0));
    List<Integer> recordedThen = Collections.synchronizedList(new ArrayList<>());
    scheduler.drift(
        event(DriftEvent.Kind.GAP, Optional.of(A)), () -> recordedThen.add(work.recorded.size()));
    await().atMost(PATIENCE).until(() -> !recordedThen.isEmpty());
    assertThat(recordedThen).containsExactly(1);
  }

  /** Invariant B: without evidence nothing goes on. */
  @Test
  void aCheckThatCannotRecordStopsEverything() {
    work.breaks = Optional.of(new AuditException("the disk is full"));
    RangeScheduler scheduler = start(Schedules.of(true, null, 100, 2));
    await().atMost(PATIENCE).until(() -> scheduler.failure().isPresent());
    assertThat(scheduler.failure().orElseThrow()).hasMessageContaining("disk");
  }

  @Test
  void aCheckThatBreaksIsRecordedAsIncompleteAndTheOthersGoOn() {
    work.breaks = Optional.of(new RangeException("the ledger cannot be used"));
    RangeScheduler scheduler = start(Schedules.of(true, null, 100, 2));
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              time.advance(Duration.ofSeconds(30));
              return figures.ended(RangeOutcome.PROVED) == 2 && scheduler.isIdle();
            });
    assertThat(onlyEnd().detail().orElseThrow()).contains("ledger");
    assertThat(scheduler.failure()).isEmpty();
  }

  @Test
  void aStopCancelsAndANewLifeDoesWhatDriftAskedFor() throws Exception {
    work.awaitsVerdicts = true;
    RangeScheduler first =
        start(Schedules.of(false, null, 100, 2), Optional.of(ScheduleFile.in(directory)));
    AtomicInteger settled = new AtomicInteger();
    first.drift(event(DriftEvent.Kind.TABLE_RECREATED, Optional.of(C)), settled::incrementAndGet);
    await().atMost(PATIENCE).until(() -> work.awaiting.get() == 1);
    assertThat(first.stop(STOP)).isTrue();
    assertThat(settled.get()).isZero();
    assertThat(figures.ended(RangeOutcome.INCOMPLETE)).isEqualTo(1);
    assertThat(work.open.get()).isZero();

    work.awaitsVerdicts = false;
    start(Schedules.of(false, null, 100, 2), Optional.of(ScheduleFile.in(directory)));
    await().atMost(PATIENCE).until(() -> figures.ended(RangeOutcome.PROVED) == 1);
    assertThat(work.checked).containsExactly(C, C);
    await()
        .atMost(PATIENCE)
        .until(() -> Files.readString(directory.resolve("schedule.json")).contains("\"open\":[]"));
  }

  /** Restarts more often than the interval must not put the schedule off for ever. */
  @Test
  void theScheduleSurvivesARestart() throws Exception {
    ScheduleSettings hourly = Schedules.of(false, Duration.ofHours(1), 100, 2);
    RangeScheduler first = start(hourly, Optional.of(ScheduleFile.in(directory)));
    time.advance(Duration.ofHours(1));
    await().atMost(PATIENCE).until(() -> figures.ended() == 3);
    assertThat(first.stop(STOP)).isTrue();
    time.advance(Duration.ofMinutes(45));
    start(hourly, Optional.of(ScheduleFile.in(directory)));
    time.advance(Duration.ofMinutes(15));
    await().atMost(PATIENCE).until(() -> figures.ended() == 6);
  }

  /** Three tables, a mismatch in each if wanted. */
  private static final class Work implements RangeWork {
    private final AtomicInteger surveys = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger reading = new AtomicInteger();
    private final AtomicInteger mostReading = new AtomicInteger();
    private final AtomicInteger awaiting = new AtomicInteger();
    private final List<TableId> checked = Collections.synchronizedList(new ArrayList<>());
    private final List<Boolean> restarts = Collections.synchronizedList(new ArrayList<>());
    private final List<AuditEntry> recorded = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch gate = new CountDownLatch(1);
    private volatile boolean awaitsVerdicts;
    private volatile boolean away;
    private volatile Runnable onOpen = () -> {};
    private volatile Optional<RuntimeException> breaks = Optional.empty();

    @Override
    public Survey survey(Cancellation cancel) {
      surveys.incrementAndGet();
      if (away) {
        throw new RangeException("the servers are away");
      }
      Map<TableId, Route.SourceTable> tables = new TreeMap<>();
      for (TableId table : List.of(A, B, C)) {
        tables.put(table, new Route.SourceTable(false, List.of()));
      }
      return new Survey(
          new Route(tables, Optional.empty()),
          Optional.empty(),
          OffsetClaims.Known.NOTHING,
          TableFilter.of(any -> true),
          any -> true);
    }

    @Override
    public Desk open(Survey survey, Cancellation cancel) {
      open.incrementAndGet();
      onOpen.run();
      return new Desk() {
        @Override
        public RangeResult check(
            Claim claim, boolean restart, Deadline deadline, Cancellation end, ReadingTurn turn)
            throws InterruptedException {
          return read(claim, restart, end, turn);
        }

        @Override
        public List<RangeCheck.Status> progress() {
          return List.of();
        }

        @Override
        public OnHold onHold() {
          return new OnHold(2, Duration.ofSeconds(3));
        }

        @Override
        public Map<TableId, Coverage> keys() {
          return Map.of(A, new Coverage(1, 1, 0, Map.of(), 0, Map.of("matched", 1L)));
        }

        @Override
        public void close() {
          open.decrementAndGet();
        }
      };
    }

    private RangeResult read(Claim claim, boolean restart, Cancellation end, ReadingTurn turn)
        throws InterruptedException {
      checked.add(claim.table());
      restarts.add(restart);
      mostReading.accumulateAndGet(reading.incrementAndGet(), Math::max);
      if (breaks.isPresent()) {
        RuntimeException broken = breaks.get();
        breaks = Optional.empty();
        throw broken;
      }
      if (awaitsVerdicts) {
        reading.decrementAndGet();
        turn.give();
        awaiting.incrementAndGet();
        try (Cancellation.Registration registered = end.onCancel(gate::countDown)) {
          assertThat(registered).isNotNull();
          gate.await();
        }
      } else {
        reading.decrementAndGet();
      }
      return Schedules.result(
          claim, end.isCancelled() ? RangeOutcome.INCOMPLETE : RangeOutcome.PROVED);
    }

    @Override
    public void record(AuditEntry entry) {
      recorded.add(entry);
    }
  }
}
