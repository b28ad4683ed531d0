package io.walproof.connector.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A table that changes and is not delivered is told, once; everything that may only be late is not.
 */
class DeliveryWatchTest {

  private static final TableId T = new TableId("public", "t");
  private final DeliveryWatch watch = new DeliveryWatch();
  private int reading;

  @Test
  void aTableThatKeepsChangingUnseenIsToldOnce() {
    int told = 0;
    for (int i = 0; i < 10; i++) {
      List<TableId> silent = next(10L * i, 5, true);
      assertThat(silent).isSubsetOf(T);
      told += silent.size();
      // Two findings, each two readings behind.
      assertThat(told).isEqualTo(i < 4 ? 0 : 1);
    }
  }

  @Test
  void aDeliveredTableIsNot() {
    for (int i = 0; i < 10; i++) {
      assertThat(next(10L * i, 10L * i, true)).isEmpty();
    }
  }

  @Test
  void aTableAtRestIsNot() {
    for (int i = 0; i < 10; i++) {
      assertThat(next(7, 0, true)).isEmpty();
    }
  }

  @Test
  void statisticsAheadOfDeliveriesByAnIntervalAreNot() {
    for (int i = 0; i < 10; i++) {
      assertThat(next(10L * i, 10L * Math.max(0, i - 1), true)).isEmpty();
    }
  }

  @Test
  void aStreamThatLagsIsNot() {
    for (int i = 0; i < 200; i++) {
      assertThat(next(10L * i, 0, false)).isEmpty();
    }
  }

  @Test
  void oneBurstThatWasRolledBackIsNot() {
    for (int i = 0; i < 10; i++) {
      assertThat(next(i < 5 ? 7 : 8, 0, true)).isEmpty();
    }
  }

  @Test
  void afterADeliveryItMayBeToldAgain() {
    long told = 0;
    for (int i = 0; i < 30; i++) {
      told += next(10L * i, i < 15 ? 0 : 1, true).size();
    }
    assertThat(told).isEqualTo(2);
  }

  private List<TableId> next(long changes, long delivered, boolean streamed) {
    Lsn at = new Lsn(1000L + reading++);
    return watch.next(at, Map.of(T, changes), Map.of(T, delivered), streamed ? at : new Lsn(1));
  }
}
