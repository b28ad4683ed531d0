package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.RowKey;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The order is PostgreSQL's for the types of nearly all keys: bigint and uuid, alone or behind. */
class IndexOrderTest {

  private static final long SEED = 7;

  private static RowKey key(String... texts) {
    return new RowKey(
        IntStream.range(0, texts.length)
            .mapToObj(i -> new RowKey.Column("k" + i, texts[i]))
            .toList());
  }

  private static List<RowKey> ordered(List<RowKey> keys) {
    return IntStream.of(IndexOrder.of(keys, 0, keys.size())).mapToObj(keys::get).toList();
  }

  @Test
  void naturalNumbersOfAnyLengthStandInTheirOrder() {
    Random random = new Random(SEED);
    List<RowKey> keys = new ArrayList<>();
    for (int bits = 1; bits <= 63; bits++) {
      for (int i = 0; i < 20; i++) {
        keys.add(key(new BigInteger(bits, random).toString()));
      }
    }
    assertThat(ordered(keys))
        .isSortedAccordingTo(
            Comparator.comparing((RowKey key) -> new BigInteger(key.texts().get(0))));
  }

  /** PostgreSQL compares a uuid's bytes, which is the order of their hexadecimal digits. */
  @Test
  void uuidsStandInTheirOrder() {
    Random random = new Random(SEED);
    List<RowKey> keys = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      keys.add(key(new UUID(random.nextLong(), random.nextLong()).toString()));
      // The same first half, so that what decides stands far behind.
      keys.add(key(new UUID(42, random.nextLong()).toString()));
    }
    assertThat(ordered(keys)).isSortedAccordingTo(Comparator.comparing(key -> key.texts().get(0)));
  }

  @Test
  void furtherColumnsDecideBetweenEqualOnes() {
    List<RowKey> keys =
        List.of(key("7", "10"), key("7", "9"), key("6", "11"), key("7", "2"), key("10", "1"));
    assertThat(ordered(keys))
        .containsExactly(
            key("6", "11"), key("7", "2"), key("7", "9"), key("7", "10"), key("10", "1"));
  }

  @Test
  void aPartHasItsOwnPlacesOnceEach() {
    List<RowKey> keys = List.of(key("9"), key("8"), key("-1"), key("ÿ"), key("1"), key("1"));
    assertThat(IndexOrder.of(keys, 1, 6)).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
  }
}
