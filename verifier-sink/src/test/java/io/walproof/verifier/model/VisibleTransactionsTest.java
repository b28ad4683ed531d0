package io.walproof.verifier.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
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

  /** A batch may be read by several servers, of which each may be behind another. */
  @Property
  void twoSeeTogetherWhatEachSees(
      @ForAll @LongRange(min = 100, max = 120) long xmin,
      @ForAll @LongRange(min = 0, max = 20) long width,
      @ForAll @Size(max = 5) Set<@LongRange(min = 100, max = 140) Long> inProgress,
      @ForAll @LongRange(min = 100, max = 120) long otherXmin,
      @ForAll @LongRange(min = 0, max = 20) long otherWidth,
      @ForAll @Size(max = 5) Set<@LongRange(min = 100, max = 140) Long> otherInProgress,
      @ForAll @LongRange(min = 95, max = 145) long id) {
    VisibleTransactions one = snapshot(xmin, width, inProgress);
    VisibleTransactions other = snapshot(otherXmin, otherWidth, otherInProgress);
    assertThat(one.and(other).shows(id)).isEqualTo(one.shows(id) && other.shows(id));
    assertThat(one.and(other).finished(id)).isEqualTo(one.finished(id) && other.finished(id));
  }

  /** As PostgreSQL makes them: what is in progress lies between the two ends. */
  private static VisibleTransactions snapshot(long xmin, long width, Set<Long> inProgress) {
    long xmax = xmin + width;
    return new VisibleTransactions(
        xmin,
        xmax,
        inProgress.stream().filter(x -> x >= xmin && x < xmax).collect(Collectors.toSet()));
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
