package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Lsn;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlotCheckTest {

  private static final Lsn RESUME = new Lsn(100);

  @Test
  void aSlotAtOrBehindThePositionDeliversEverything() {
    assertThat(problem(slot(100, "reserved", ""))).isEmpty();
    assertThat(problem(slot(99, "extended", ""))).isEmpty();
    assertThat(problem(slot(99, "unreserved", ""))).isEmpty();
  }

  @Test
  void everyWayToMissChangesIsNamedWithItsLsns() {
    assertThat(problem(slot(101, "reserved", ""))).get().asString().contains("0/64", "0/65");
    assertThat(problem(slot(100, "lost", ""))).get().asString().contains("lost", "0/64");
    assertThat(problem(slot(100, "reserved", "idle_timeout")))
        .get()
        .asString()
        .contains("idle_timeout", "0/64");
    assertThat(SlotCheck.problem("s", Optional.empty(), RESUME))
        .get()
        .asString()
        .contains("'s'", "does not exist", "0/64");
  }

  @Test
  void aServerThatHasNotComeToThePositionWouldPassOverWhatItWritesNext() {
    Optional<Lsn> behind = Optional.of(new Lsn(99));
    assertThat(problem(slot(90, "reserved", "", behind)))
        .get()
        .asString()
        .contains("WAL ends at 0/63", "0/64");
    assertThat(problem(slot(90, "reserved", "", Optional.of(RESUME)))).isEmpty();
  }

  @Test
  void lsnsAreUnsigned() {
    assertThat(SlotCheck.problem("s", Optional.of(slot(5, "reserved", "")), new Lsn(-1))).isEmpty();
    assertThat(SlotCheck.problem("s", Optional.of(slot(-1, "reserved", "")), new Lsn(5)))
        .isPresent();
  }

  private static Optional<String> problem(SlotState slot) {
    return SlotCheck.problem("s", Optional.of(slot), RESUME);
  }

  private static SlotState slot(long confirmed, String walStatus, String invalidation) {
    return slot(confirmed, walStatus, invalidation, Optional.empty());
  }

  private static SlotState slot(
      long confirmed, String walStatus, String invalidation, Optional<Lsn> end) {
    return new SlotState("pgoutput", "app", 0, new Lsn(confirmed), walStatus, invalidation, end);
  }
}
