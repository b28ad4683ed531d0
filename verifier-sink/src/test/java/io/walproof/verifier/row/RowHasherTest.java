package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class RowHasherTest {

  /**
   * Golden vectors for version 1, computed by another implementation of XXH3 from the written
   * format.
   */
  @Test
  void goldenVectors() {
    assertThat(hash(List.of("id"), "1"))
        .isEqualTo("856f1ccb675b49062ef656c43069977e[ cf76c0f25ebb750b]");
    assertThat(hash(List.of("a", "b", "größe"), null, "", "NULL"))
        .isEqualTo(
            "1e5ee3d5f8f575f26e85d8486e26f8b5[ bc0c8b3e9d7e8230,  cfc778635d3e0450,  25f960ef3cb97372]");
    assertThat(hash(List.of("id", "note", "total"), "42", "x".repeat(300), "-12.5"))
        .isEqualTo(
            "9eb5e87f0bb7e1fbe6578571dafad85c[ c9cbc885a6809dac,  e02659795038a465,  4edd99b6174f40b4]");
  }

  /** V3. */
  @Test
  void nullIsNoString() {
    List<String> hashes =
        Stream.of(null, "NULL", "", "\\N", "\0", "0", "null")
            .map(value -> hash(List.of("a"), new String[] {value}))
            .toList();
    assertThat(hashes).doesNotHaveDuplicates();
  }

  /** V4, and invariant K: rows that differ anywhere differ in their hash. */
  @Property(tries = 2000)
  void concatenationHidesNothing(
      @ForAll @Size(2) List<@StringLength(max = 4) String> one,
      @ForAll @Size(2) List<@StringLength(max = 4) String> other) {
    List<String> names = List.of("a", "b");
    String left = hash(names, one.toArray(String[]::new));
    String right = hash(names, other.toArray(String[]::new));
    assertThat(left.equals(right)).isEqualTo(utf8(one).equals(utf8(other)));
    String joined = one.get(0) + one.get(1);
    for (int cut = 0; cut <= joined.length(); cut++) {
      String[] moved = {joined.substring(0, cut), joined.substring(cut)};
      assertThat(hash(names, moved).equals(left)).isEqualTo(utf8(List.of(moved)).equals(utf8(one)));
    }
  }

  private static List<String> utf8(List<String> values) {
    return values.stream()
        .map(v -> HexFormat.of().formatHex(v.getBytes(StandardCharsets.UTF_8)))
        .toList();
  }

  @Test
  void aBufferThatGrewIsReusedRightly() {
    RowHasher hasher = new RowHasher(List.of("a"));
    String small = row(hasher, "x");
    String big = row(hasher, "y".repeat(5_000_000));
    assertThat(row(hasher, "x")).isEqualTo(small);
    assertThat(row(new RowHasher(List.of("a")), "y".repeat(5_000_000))).isEqualTo(big);
    assertThat(big).isNotEqualTo(small);
  }

  @Test
  void namesSortByTheirBytes() {
    List<String> names = new ArrayList<>(List.of("\uFFFD", "\uD83D\uDE00", "b", "B", "a", "é"));
    names.sort(RowHasher::compareNames);
    assertThat(names).containsExactly("B", "a", "b", "é", "\uFFFD", "\uD83D\uDE00");
  }

  private static String hash(List<String> names, String... values) {
    return row(new RowHasher(names), values);
  }

  /** The row's hash and the columns'. */
  private static String row(RowHasher hasher, String... values) {
    hasher.begin();
    long[] columns = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      columns[i] =
          hasher.add(i, values[i] == null ? null : values[i].getBytes(StandardCharsets.UTF_8));
    }
    String hash = hasher.end().hex();
    return hash
        + Arrays.stream(columns).mapToObj(c -> " " + HexFormat.of().toHexDigits(c)).toList();
  }
}
