package io.walproof.verifier.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisibleTransactionsTest {

  @Test
  void readsWhatPostgresWrites() {
    assertThat(VisibleTransactions.parse("10:20:10,14,15"))
        .isEqualTo(new VisibleTransactions(10, 20, Set.of(10L, 14L, 15L)));
    assertThat(VisibleTransactions.parse("10:10:"))
        .isEqualTo(new VisibleTransactions(10, 10, Set.of()));
  }

  @Test
  void showsWhatIsFinishedAndNoMore() {
    VisibleTransactions visible = VisibleTransactions.parse("10:20:10,14");
    assertThat(visible.shows(9)).isTrue();
    assertThat(visible.shows(10)).isFalse();
    assertThat(visible.shows(11)).isTrue();
    assertThat(visible.shows(14)).isFalse();
    assertThat(visible.shows(19)).isTrue();
    assertThat(visible.shows(20)).isFalse();
    assertThat(visible.shows(21)).isFalse();
    assertThat(visible.shows(0)).isTrue();
  }

  /** The WAL has the lower 32 bits of an id; the snapshot has all of it. */
  @Property
  void idsKeepTheirMeaningAcrossEpochs(
      @ForAll @LongRange(min = 4, max = 1L << 50) long xmax,
      @ForAll @LongRange(min = -1_000_000_000, max = 1_000_000_000) long distance) {
    long id = xmax + distance;
    if (id <= 3 || (id & 0xFFFFFFFFL) == 0) {
      return;
    }
    VisibleTransactions visible = new VisibleTransactions(xmax, xmax, Set.of());
    assertThat(visible.shows(id & 0xFFFFFFFFL)).isEqualTo(id < xmax);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1:2", "1:2:3:4", "a:2:", "1:2:,"})
  void refusesWhatIsNoSnapshot(String text) {
    assertThatThrownBy(() -> VisibleTransactions.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A snapshot names no subtransactions, so between its two ends nothing is certain. */
  @Test
  void onlyWhatIsOlderThanAllInProgressHasCertainlyEnded() {
    VisibleTransactions seen = new VisibleTransactions(10, 20, Set.of(10L));
    assertThat(seen.finished(9)).isTrue();
    assertThat(seen.finished(10)).isFalse();
    assertThat(seen.finished(12)).isFalse();
    long epoch = 1L << 32;
    assertThat(new VisibleTransactions(epoch + 5, epoch + 6, Set.of()).finished(epoch - 3))
        .isTrue();
  }
}
