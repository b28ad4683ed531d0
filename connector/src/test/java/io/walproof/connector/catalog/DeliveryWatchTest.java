package io.walproof.connector.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A table that changes and is not delivered is told, once; everything that may only be late is not.
 */
class DeliveryWatchTest {

  private static final TableId T = new TableId("public", "t");
  private final DeliveryWatch watch = new DeliveryWatch();
  private int reading;

  /** Whether rows of committed transactions are found, and by which transaction they were asked. */
  private boolean committed = true;

  private long asked;

  @Test
  void aTableThatKeepsChangingUnseenIsToldOnce() {
    int told = 0;
    for (int i = 0; i < 10; i++) {
      List<TableId> silent = next(10L * i, 5, true);
      assertThat(silent).isSubsetOf(T);
      told += silent.size();
      // Two findings, each two readings behind; then a row is seen, and the stream passes it.
      assertThat(told).isEqualTo(i < 5 ? 0 : 1);
    }
    // Of the reading from which on nothing was delivered.
    assertThat(asked).isEqualTo(501);
  }

  @Test
  void aTableWhoseChangesAreAlwaysRolledBackIsNot() {
    committed = false;
    for (int i = 0; i < 50; i++) {
      assertThat(next(10L * i, 0, true)).isEmpty();
    }
    committed = true;
    assertThat(next(500, 0, true)).isEmpty();
    assertThat(next(510, 0, true)).containsExactly(T);
  }

  @Test
  void aRowThatTheStreamHasNotPassedMayBeOnItsWay() {
    for (int i = 0; i < 5; i++) {
      assertThat(next(10L * i, 0, true)).isEmpty();
    }
    for (int i = 5; i < 20; i++) {
      assertThat(next(10L * i, 0, false)).isEmpty();
    }
    // And there it is.
    assertThat(next(200, 1, true)).isEmpty();
    assertThat(next(200, 1, true)).isEmpty();
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
    Lsn at = new Lsn(1000L + reading);
    CatalogReading now = new CatalogReading(at, 500L + reading, Map.of(), Map.of());
    reading++;
    try {
      return watch.next(
          now,
          Map.of(T, changes),
          Map.of(T, delivered),
          streamed ? at : new Lsn(1),
          (table, xid) -> {
            asked = xid;
            return committed ? Optional.of(at) : Optional.empty();
          });
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
