package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.verifier.core.ManualTime;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.SimulatedSides;
import io.walproof.verifier.row.SimulatedSides.Keys;
import io.walproof.verifier.row.SimulatedSides.Trouble;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Where a table is digested; the verdicts do not depend on it. */
class DigestTrialTest {

  private static final int ENOUGH = 5_000;

  private final ManualTime time = new ManualTime();

  private DigestPlace chosen(SimulatedSides sides, DigestPlace configured) throws Exception {
    return chosen(sides, configured, new Cancellation());
  }

  private DigestPlace chosen(SimulatedSides sides, DigestPlace configured, Cancellation cancel)
      throws Exception {
    Deadline deadline = Deadline.in(time, Duration.ofDays(1));
    RangeLimits limits = RangeFixture.limits(ENOUGH);
    RangePlan plan =
        ((RangeAccess.Opening.Ready) sides.open(SimulatedSides.table(), deadline, cancel)).plan();
    PassProgress progress = new PassProgress();
    SideReader reader = new SideReader(time, limits, sides, progress, plan, deadline);
    Walk.Parts parts =
        new Walk.Parts(
            Claim.whole(SimulatedSides.table()),
            limits,
            reader,
            null,
            progress,
            null,
            null,
            cancel);
    return new DigestTrial(time, sides, parts).choose(configured);
  }

  /** Each digest, and each read of a side, takes so long, three times that at first. */
  private SimulatedSides taking(int rows, int digestMillis, int readMillis) {
    SimulatedSides sides = new SimulatedSides(Keys.ALIKE, true, true);
    for (int key = 0; key < rows; key++) {
      sides.putSource(key, "v");
      sides.putTarget(key, "v");
    }
    int[] calls = new int[1];
    sides.weather(
        call -> {
          boolean digest = call.startsWith("digest");
          if (digest || call.startsWith("read")) {
            int millis = digest ? digestMillis : readMillis;
            time.advance(Duration.ofMillis(calls[0]++ < 4 ? 3L * millis : millis));
          }
          return Trouble.NONE;
        });
    return sides;
  }

  /** The clock of this test counts both servers' digests, and of the reads the longer. */
  @Test
  void theServersDigestOnlyWhereThatIsFarFaster() throws Exception {
    assertThat(chosen(taking(ENOUGH, 34, 100), DigestPlace.AUTO)).isEqualTo(DigestPlace.SERVER);
    assertThat(chosen(taking(ENOUGH, 35, 100), DigestPlace.AUTO)).isEqualTo(DigestPlace.CLIENT);
    assertThat(chosen(taking(ENOUGH, 60, 100), DigestPlace.AUTO)).isEqualTo(DigestPlace.CLIENT);
  }

  @Test
  void aSmallTableIsNotTried() throws Exception {
    assertThat(chosen(taking(ENOUGH - 1, 1, 100), DigestPlace.AUTO)).isEqualTo(DigestPlace.CLIENT);
    assertThat(chosen(taking(10, 1, 100), DigestPlace.SERVER)).isEqualTo(DigestPlace.SERVER);
  }

  @Test
  void whatIsConfiguredCountsWhereItIsPossible() throws Exception {
    assertThat(chosen(taking(ENOUGH, 1, 100), DigestPlace.CLIENT)).isEqualTo(DigestPlace.CLIENT);
    assertThat(chosen(taking(ENOUGH, 100, 1), DigestPlace.SERVER)).isEqualTo(DigestPlace.SERVER);
    for (DigestPlace place : DigestPlace.values()) {
      SimulatedSides unindexed = new SimulatedSides(Keys.ALIKE, false, true);
      assertThat(chosen(unindexed, place)).isEqualTo(DigestPlace.CLIENT);
    }
  }

  /** Digests of texts in two encodings cannot be equal. */
  @Test
  void serversWithOtherEncodingsDoNotDigest() throws Exception {
    SimulatedSides sides = new SimulatedSides(Keys.ALIKE, true, false);
    for (int key = 0; key < ENOUGH; key++) {
      sides.putSource(key, "v");
    }
    assertThat(chosen(sides, DigestPlace.SERVER)).isEqualTo(DigestPlace.CLIENT);
    assertThat(chosen(sides, DigestPlace.AUTO)).isEqualTo(DigestPlace.CLIENT);
  }

  @Test
  void aTrialThatEndsEarlyChoosesNothingNew() throws Exception {
    Cancellation cancel = new Cancellation();
    SimulatedSides sides = taking(ENOUGH, 1, 100);
    cancel.cancel();
    assertThat(chosen(sides, DigestPlace.SERVER, cancel)).isEqualTo(DigestPlace.CLIENT);
    assertThat(chosen(sides, DigestPlace.AUTO, cancel)).isEqualTo(DigestPlace.CLIENT);
  }

  @Test
  void aPlaceIsReadAsItIsWritten() {
    for (DigestPlace place : DigestPlace.values()) {
      assertThat(DigestPlace.parse(place.text())).isEqualTo(place);
    }
    assertThat(DigestPlace.AUTO.text()).isEqualTo("auto");
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> DigestPlace.parse("Server"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("verify.range.digest");
  }
}
