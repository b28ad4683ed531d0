package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages as PostgreSQL's manual lays them out, "Logical Replication Message Formats". */
class WitnessedTableTest {

  private static final int ROOT = 16_400;

  /** OIDs are unsigned. */
  private static final int LEAF = 0xFFFF_FF00;

  private static final int OTHER = 16_402;

  private final WitnessedTable table =
      new WitnessedTable(Set.of(ROOT, LEAF), "t", "y", false, Optional.of("p"), "p");

  private static byte[] change(char kind, int relation) {
    return ByteBuffer.allocate(5).put((byte) kind).putInt(relation).array();
  }

  private static byte[] truncate(int options, int... relations) {
    ByteBuffer message = ByteBuffer.allocate(6 + 4 * relations.length);
    message.put((byte) 'T').putInt(relations.length).put((byte) options);
    for (int relation : relations) {
      message.putInt(relation);
    }
    return message.array();
  }

  @ParameterizedTest
  @ValueSource(chars = {'I', 'U', 'D'})
  void aChangeIsOfTheTableIfItsRelationIs(char kind) {
    assertThat(table.isChangedBy(change(kind, ROOT))).isTrue();
    assertThat(table.isChangedBy(change(kind, LEAF))).isTrue();
    assertThat(table.isChangedBy(change(kind, OTHER))).isFalse();
    assertThat(WitnessedTable.isMessage(change(kind, ROOT))).isFalse();
  }

  @Test
  void aTruncateIsOfTheTableIfAnyOfItsRelationsIs() {
    assertThat(table.isChangedBy(truncate(0, ROOT))).isTrue();
    assertThat(table.isChangedBy(truncate(3, OTHER, OTHER + 1, LEAF))).isTrue();
    assertThat(table.isChangedBy(truncate(3, OTHER, OTHER + 1))).isFalse();
    // The number of relations is none.
    assertThat(
            new WitnessedTable(Set.of(2), "t", "y", false, Optional.empty(), "p")
                .isChangedBy(truncate(0, OTHER, ROOT)))
        .isFalse();
  }

  /** Whatever its LSN looks like. */
  @Test
  void aLogicalMessageIsNoChange() {
    byte[] message = ByteBuffer.allocate(10).put((byte) 'M').put((byte) 1).putInt(ROOT).array();
    assertThat(table.isChangedBy(message)).isFalse();
    assertThat(table.isChangedBy(change('M', ROOT))).isFalse();
    assertThat(WitnessedTable.isMessage(message)).isTrue();
  }
}
