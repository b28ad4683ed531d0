package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Lsn;
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

  @Test
  void twoLooksInARowCut() {
    watch.look(IDLE);
    assertThat(cuts).isZero();
    watch.look(IDLE);
    assertThat(cuts).isEqualTo(1);
  }

  @Test
  void aSlotThatIsGoneServesNobody() {
    watch.look(Optional.empty());
    watch.look(Optional.empty());
    assertThat(cuts).isEqualTo(1);
  }

  @Test
  void aServedStreamIsLeftAlone() {
    watch.look(IDLE);
    watch.look(SERVED);
    watch.look(IDLE);
    assertThat(cuts).isZero();
  }

  /** It may only just have begun. */
  @Test
  void anotherStreamIsLookedAtTwiceToo() {
    watch.look(IDLE);
    stream = Optional.of("second");
    watch.look(IDLE);
    assertThat(cuts).isZero();
    watch.look(IDLE);
    assertThat(cuts).isEqualTo(1);
  }

  /** As before a first snapshot, or while Debezium waits before it connects again. */
  @Test
  void withoutAStreamThereIsNothingToCut() {
    stream = Optional.empty();
    watch.look(IDLE);
    watch.look(IDLE);
    assertThat(cuts).isZero();
  }
}
