package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Lsn;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StreamWatchTest {

  private static final Optional<SlotState> SERVED = slot(4711);
  private static final Optional<SlotState> IDLE = slot(0);

  private Optional<Object> stream = Optional.of("first");
  private int cuts;
  private final StreamWatch watch = new StreamWatch(() -> stream, () -> cuts++);

  private static Optional<SlotState> slot(int pid) {
    return Optional.of(
        new SlotState("pgoutput", "app", pid, Lsn.parse("0/10"), "reserved", "", Optional.empty()));
  }

  private void look(Optional<SlotState> slot) {
    try {
      watch.look(() -> slot);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void twoLooksInARowCut() {
    look(IDLE);
    assertThat(cuts).isZero();
    look(IDLE);
    assertThat(cuts).isEqualTo(1);
  }

  @Test
  void aSlotThatIsGoneServesNobody() {
    look(Optional.empty());
    look(Optional.empty());
    assertThat(cuts).isEqualTo(1);
  }

  @Test
  void aServedStreamIsLeftAlone() {
    look(IDLE);
    look(SERVED);
    look(IDLE);
    assertThat(cuts).isZero();
  }

  /** It may only just have begun. */
  @Test
  void anotherStreamIsLookedAtTwiceToo() {
    look(IDLE);
    stream = Optional.of("second");
    look(IDLE);
    assertThat(cuts).isZero();
    look(IDLE);
    assertThat(cuts).isEqualTo(1);
  }

  /** Whoever has the slot by now, it is not us. */
  @Test
  void aSlotThatServesAnotherConsumerDoesNotServeUs() {
    look(SERVED);
    look(slot(4712));
    assertThat(cuts).isZero();
    look(slot(4712));
    assertThat(cuts).isEqualTo(1);
  }

  @Test
  void theNextStreamIsServedByAProcessOfItsOwn() {
    look(SERVED);
    stream = Optional.of("second");
    look(slot(4712));
    look(slot(4712));
    look(slot(4712));
    assertThat(cuts).isZero();
  }

  /** The process that was read is the stream's before; the next one's is not known yet. */
  @Test
  void aStreamThatBeginsWhileTheSlotIsReadIsLeftAlone() throws SQLException {
    look(SERVED);
    watch.look(
        () -> {
          stream = Optional.of("second");
          return SERVED;
        });
    look(slot(4712));
    look(slot(4712));
    assertThat(cuts).isZero();
  }

  /** As before a first snapshot, or while Debezium waits before it connects again. */
  @Test
  void withoutAStreamThereIsNothingToCut() {
    stream = Optional.empty();
    look(IDLE);
    look(IDLE);
    assertThat(cuts).isZero();
  }
}
