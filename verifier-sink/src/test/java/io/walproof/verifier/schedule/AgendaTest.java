package io.walproof.verifier.schedule;

import static io.walproof.verifier.schedule.Schedules.A;
import static io.walproof.verifier.schedule.Schedules.B;
import static io.walproof.verifier.schedule.Schedules.C;
import static io.walproof.verifier.schedule.Schedules.through;
import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.verifier.core.ManualTime;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.schedule.Trigger.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What joins, what supersedes, what waits, and when: on a clock that is moved by hand. */
class AgendaTest {

  private static final Optional<TableId> ALL = Optional.empty();

  private final ManualTime time = new ManualTime();
  private final List<String> settled = new ArrayList<>();
  private Agenda agenda = agenda(null, 100, 2);

  private Agenda agenda(Duration interval, int waitingMax, int retries) {
    return new Agenda(
        time,
        Schedules.of(false, interval, waitingMax, retries),
        interval == null ? Duration.ZERO : interval);
  }

  private void fire(Reason reason, Optional<TableId> table) {
    agenda.fire(reason, table, () -> settled.add(reason.text()));
  }

  /** Fires and resolves; gives what there was no room for. */
  private List<Claim> ask(Reason reason, Optional<TableId> table, Claim... claims) {
    fire(reason, table);
    List<Claim> refused = new ArrayList<>();
    for (Trigger trigger : agenda.take()) {
      refused.addAll(agenda.offer(trigger, Arrays.asList(claims)));
      agenda.resolved(trigger);
    }
    return refused;
  }

  private Check begin(TableId table) {
    Check check = agenda.next().orElseThrow();
    assertThat(check.table()).isEqualTo(table);
    return check;
  }

  /** What was read before a gap proves nothing after it, whoever asks for the check in the end. */
  @Test
  void whatWasToBeginAnewAndIsGivenUpBeginsAnewLater() {
    agenda = agenda(null, 100, 0);
    fire(Reason.GAP, ALL);
    giveUp();
    ask(Reason.SCHEDULE, ALL, Claim.whole(A), Claim.whole(B));
    Check anew = begin(A);
    assertThat(anew.restart()).isTrue();
    assertThat(begin(B).restart()).isTrue();
    agenda.ended(anew);
    ask(Reason.SCHEDULE, ALL, Claim.whole(A));
    Check again = begin(A);
    assertThat(again.restart()).as("only once").isFalse();
    agenda.ended(again);

    fire(Reason.RECREATED, Optional.of(A));
    giveUp();
    ask(Reason.SCHEDULE, ALL, Claim.whole(C), Claim.whole(A));
    assertThat(begin(A).restart()).isTrue();
    assertThat(begin(C).restart()).as("another table").isFalse();
  }

  @Test
  void aCheckThatIsGivenUpBeforeItBeganAnewDoesLater() {
    ask(Reason.GAP, Optional.of(A), Claim.whole(A));
    agenda.giveUpWaiting().forEach(agenda::endedUnread);
    ask(Reason.SCHEDULE, ALL, Claim.whole(A));
    Check unread = begin(A);
    assertThat(unread.restart()).isTrue();
    agenda.endedUnread(unread);
    ask(Reason.SCHEDULE, ALL, Claim.whole(A));
    assertThat(begin(A).restart()).as("nothing was read").isTrue();

    agenda = agenda(null, 1, 2);
    ask(Reason.SCHEDULE, ALL, Claim.whole(C));
    assertThat(ask(Reason.GAP, Optional.of(A), Claim.whole(A))).hasSize(1);
    begin(C);
    ask(Reason.SCHEDULE, ALL, Claim.whole(A));
    assertThat(begin(A).restart()).as("there was no room for it").isTrue();
  }

  private void giveUp() {
    agenda.take();
    agenda.postpone();
    agenda.failed().forEach(agenda::resolved);
  }

  @Test
  void aReasonThatWaitsAlreadyIsJoined() {
    fire(Reason.SCHEDULE, ALL);
    fire(Reason.SCHEDULE, ALL);
    fire(Reason.GAP, Optional.of(A));
    fire(Reason.GAP, Optional.of(B));
    assertThat(agenda.take().stream().map(Trigger::toString).collect(Collectors.toList()))
        .containsExactly("schedule", "gap of public.a", "gap of public.b");
  }

  @Test
  void aTableThatWaitsIsCheckedOnceWithTheNewestClaim() {
    ask(Reason.RESUME, ALL, through(A, "5"));
    ask(Reason.SCHEDULE, ALL, through(A, "9"));
    assertThat(agenda.waiting()).isEqualTo(1);
    Check check = begin(A);
    assertThat(check.claim()).isEqualTo(through(A, "9"));
    assertThat(check.restart()).isFalse();
    assertThat(settled).isEmpty();
    agenda.ended(check);
    assertThat(settled).containsExactlyInAnyOrder("resume", "schedule");
    assertThat(agenda.isIdle()).isTrue();
  }

  @Test
  void theSameRequestJoinsTheRunningCheck() {
    ask(Reason.RESUME, ALL, Claim.whole(A));
    Check check = begin(A);
    ask(Reason.SCHEDULE, ALL, Claim.whole(A));
    assertThat(agenda.waiting()).isZero();
    assertThat(agenda.next()).isEmpty();
    assertThat(check.cancel().isCancelled()).isFalse();
    agenda.ended(check);
    assertThat(settled).containsExactlyInAnyOrder("resume", "schedule");
  }

  @Test
  void oneCheckATable() {
    ask(Reason.RESUME, ALL, through(A, "5"), Claim.whole(B));
    Check first = begin(A);
    // Another range of the table: behind the running one, never beside it.
    ask(Reason.SCHEDULE, ALL, through(A, "9"));
    Check other = begin(B);
    assertThat(agenda.next()).isEmpty();
    agenda.ended(first);
    Check second = begin(A);
    assertThat(second.claim()).isEqualTo(through(A, "9"));
    agenda.ended(other);
    agenda.ended(second);
    assertThat(agenda.isIdle()).isTrue();
  }

  /** What was read before a gap proves nothing after it; the running check's findings count. */
  @Test
  void aGapWaitsBehindTheRunningCheckAndBeginsAnew() {
    ask(Reason.RESUME, ALL, Claim.whole(A));
    Check first = begin(A);
    ask(Reason.GAP, ALL, Claim.whole(A));
    assertThat(first.cancel().isCancelled()).isFalse();
    assertThat(agenda.next()).isEmpty();
    agenda.ended(first);
    assertThat(settled).containsExactly("resume");
    Check second = begin(A);
    assertThat(second.restart()).isTrue();
    agenda.ended(second);
    assertThat(settled).containsExactly("resume", "gap");
  }

  @Test
  void aTableThatWasCreatedAnewEndsItsRunningCheckAtOnce() {
    ask(Reason.RESUME, ALL, Claim.whole(A), Claim.whole(B));
    Check old = begin(A);
    fire(Reason.RECREATED, Optional.of(A));
    assertThat(old.cancel().isCancelled()).isTrue();
    assertThat(agenda.hasNews()).isTrue();
    Trigger anewTrigger = agenda.take().get(0);
    agenda.offer(anewTrigger, List.of(Claim.whole(A)));
    agenda.resolved(anewTrigger);
    assertThat(begin(B).cancel().isCancelled()).isFalse();
    assertThat(agenda.next()).isEmpty();
    agenda.ended(old);
    Check anew = begin(A);
    assertThat(anew.restart()).isTrue();
    assertThat(anew.cancel().isCancelled()).isFalse();
  }

  @Test
  void driftComesFirst() {
    ask(Reason.RESUME, ALL, Claim.whole(A), Claim.whole(B));
    ask(Reason.GAP, Optional.of(C), Claim.whole(C));
    begin(C);
    begin(A);
  }

  @Test
  void whatThereIsNoRoomForIsGivenBack() {
    agenda = agenda(null, 2, 2);
    assertThat(ask(Reason.RESUME, ALL, Claim.whole(A), Claim.whole(B), Claim.whole(C)))
        .containsExactly(Claim.whole(C));
    assertThat(agenda.waiting()).isEqualTo(2);
    // A table that waits needs no more room.
    assertThat(ask(Reason.SCHEDULE, ALL, Claim.whole(A))).isEmpty();
  }

  @Test
  void tooManyReasonsBecomeOneThatAsksForEverything() {
    agenda = agenda(null, 2, 2);
    fire(Reason.RECREATED, Optional.of(A));
    fire(Reason.RECREATED, Optional.of(B));
    fire(Reason.RECREATED, Optional.of(C));
    Trigger all = agenda.take().get(0);
    assertThat(all.table()).isEmpty();
    assertThat(agenda.unresolved()).isEqualTo(1);
    agenda.offer(all, List.of(Claim.whole(A)));
    agenda.resolved(all);
    Check check = begin(A);
    assertThat(check.restart()).isTrue();
    agenda.ended(check);
    assertThat(settled).hasSize(3);
  }

  @Test
  void aReasonWithoutTablesIsSettledAtOnce() {
    ask(Reason.GAP, Optional.of(A));
    assertThat(settled).containsExactly("gap");
    assertThat(agenda.isIdle()).isTrue();
  }

  @Test
  void theScheduleFiresOnceAnInterval() {
    agenda = agenda(Duration.ofMinutes(10), 100, 2);
    assertThat(agenda.tick()).isFalse();
    time.advance(Duration.ofMinutes(9));
    assertThat(agenda.tick()).isFalse();
    assertThat(agenda.mayBegin()).isFalse();
    time.advance(Duration.ofMinutes(1));
    assertThat(agenda.tick()).isTrue();
    assertThat(agenda.mayBegin()).isTrue();
    assertThat(agenda.tick()).isFalse();
    // Asleep for an hour: once, not six times.
    time.advance(Duration.ofHours(1));
    assertThat(agenda.tick()).isTrue();
    assertThat(agenda.tick()).isFalse();
    assertThat(agenda.take()).hasSize(1);
  }

  @Test
  void aFailedAttemptIsRepeatedLaterAndNotForEver() {
    fire(Reason.GAP, Optional.of(A));
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(agenda.mayBegin()).isTrue();
      assertThat(agenda.take()).hasSize(1);
      agenda.postpone();
      List<Trigger> over = agenda.failed();
      assertThat(over).hasSize(attempt == 3 ? 1 : 0);
      // Not before it is recorded.
      assertThat(settled).isEmpty();
      over.forEach(agenda::resolved);
      assertThat(agenda.mayBegin()).isFalse();
      time.advance(Duration.ofSeconds(29));
      assertThat(agenda.mayBegin()).isFalse();
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(agenda.mayBegin()).isFalse();
    assertThat(settled).containsExactly("gap");
  }

  /** Whoever begins next has the same reasons. */
  @Test
  void aStopCancelsWhatRunsAndSettlesNothing() {
    ask(Reason.GAP, ALL, Claim.whole(A), Claim.whole(B));
    Check check = begin(A);
    agenda.stop();
    assertThat(check.cancel().isCancelled()).isTrue();
    agenda.ended(check);
    assertThat(agenda.next()).isEmpty();
    fire(Reason.RESUME, ALL);
    assertThat(agenda.mayBegin()).isFalse();
    assertThat(settled).isEmpty();
    assertThat(agenda.waiting()).isEqualTo(1);
  }
}
