package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.TableId;
import io.walproof.verifier.row.KeyRange;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RangeLedgerTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path directory;

  private final Claim claim = Claim.whole(new TableId("public", "t"));

  private RangeLedger open() {
    return RangeLedger.open(directory, claim, List.of("id"), "scope", NOW.minusSeconds(60), NOW);
  }

  private Path file() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findFirst().orElseThrow();
    }
  }

  private static List<List<String>> read(RangeLedger ledger, String kind) throws Exception {
    List<List<String>> all = new ArrayList<>();
    ledger.forEach(kind, all::addAll);
    return all;
  }

  @Test
  void isContinued() throws Exception {
    try (RangeLedger ledger = open()) {
      assertThat(ledger.isResumed()).isFalse();
      ledger.source(Optional.of(List.of("10")), 10, 100, true, List.of());
      ledger.source(Optional.of(List.of("20")), 9, 90, false, List.of(List.of("12")));
      ledger.extra(List.of(List.of("13"), List.of("a\n\"b")));
      ledger.source(Optional.of(List.of("30")), 0, 0, true, List.of());
      ledger.extra(List.of(List.of("31")));
    }
    assertThat(Files.getPosixFilePermissions(file()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    try (RangeLedger ledger = open()) {
      assertThat(ledger.isResumed()).isTrue();
      assertThat(ledger.state().sourceTo()).contains(List.of("30"));
      assertThat(ledger.state().sourceEnded()).isFalse();
      assertThat(ledger.state().rows()).isEqualTo(19);
      assertThat(ledger.state().began()).contains(NOW);
      assertThat(ledger.state().chunksEqual()).isEqualTo(2);
      assertThat(ledger.state().chunksDiffering()).isEqualTo(1);
      assertThat(read(ledger, "suspects")).containsExactly(List.of("12"));
      // The chunk that 31 was found in was not ended, so it is compared again.
      assertThat(read(ledger, "extra")).containsExactly(List.of("13"), List.of("a\n\"b"));
      ledger.source(Optional.empty(), 1, 10, true, List.of());
      assertThat(ledger.state().sourceEnded()).isTrue();
      assertThat(ledger.state().sourceTo()).contains(List.of("30"));
      ledger.delete();
    }
    assertThat(directory).isEmptyDirectory();
  }

  /** A crash cuts anywhere; what is whole before it counts, and the file can be written to. */
  @Test
  void aLineThatWasCutOffIsDropped() throws Exception {
    try (RangeLedger ledger = open()) {
      ledger.source(Optional.of(List.of("10")), 10, 100, true, List.of());
    }
    byte[] whole = Files.readAllBytes(file());
    byte[] next =
        "{\"source\":{\"to\":[\"Zo\u00eb\"],\"rows\":5}}\n".getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length <= next.length; length++) {
      Files.write(file(), whole);
      Files.write(file(), java.util.Arrays.copyOf(next, length), StandardOpenOption.APPEND);
      boolean complete = length >= next.length - 1;
      try (RangeLedger ledger = open()) {
        assertThat(ledger.state().sourceTo()).contains(List.of(complete ? "Zo\u00eb" : "10"));
        ledger.source(Optional.of(List.of("30")), 1, 1, true, List.of());
      }
      try (RangeLedger ledger = open()) {
        assertThat(ledger.state().sourceTo()).contains(List.of("30"));
        assertThat(ledger.state().rows()).isEqualTo(complete ? 16 : 11);
      }
    }
  }

  /** Another range, another key: nothing is proved of it. */
  @Test
  void belongsToItsClaim() {
    try (RangeLedger ledger = open()) {
      ledger.source(Optional.of(List.of("10")), 10, 100, true, List.of());
    }
    Claim part = RangeFixture.between("public.t", null, List.of("100"));
    try (RangeLedger other =
            RangeLedger.open(directory, part, List.of("id"), "scope", NOW.minusSeconds(60), NOW);
        RangeLedger key =
            RangeLedger.open(
                directory, claim, List.of("id", "b"), "scope", NOW.minusSeconds(60), NOW);
        RangeLedger again =
            RangeLedger.open(directory, claim, List.of("id"), "scope", NOW.plusSeconds(1), NOW)) {
      assertThat(other.isResumed()).isFalse();
      assertThat(key.isResumed()).isFalse();
      assertThat(again.isResumed()).isFalse();
    }
  }

  private RangeLedger open(Claim other, String scope) {
    return RangeLedger.open(directory, other, List.of("id"), scope, NOW.minusSeconds(60), NOW);
  }

  /** Every part of what the proofs depend on. */
  @Test
  void everyPartOfAClaimMakesItAnother() {
    TableId table = claim.table();
    KeyRange.Bound one = new KeyRange.Bound(List.of("1"), true);
    List<Claim> claims = new ArrayList<>(List.of(claim));
    for (KeyRange.Bound bound :
        List.of(
            one, new KeyRange.Bound(List.of("1"), false), new KeyRange.Bound(List.of("2"), true))) {
      claims.add(
          new Claim(
              table, new KeyRange(Optional.of(bound), Optional.empty()), Claim.Origin.REQUEST));
      claims.add(
          new Claim(
              table, new KeyRange(Optional.empty(), Optional.of(bound)), Claim.Origin.REQUEST));
    }
    claims.add(Claim.whole(new TableId("other", "t")));
    claims.add(Claim.whole(new TableId("public", "other")));
    for (Claim each : claims) {
      try (RangeLedger ledger = open(each, "scope")) {
        assertThat(ledger.isResumed()).isFalse();
        ledger.source(Optional.empty(), 1, 1, true, List.of());
        assertThat(ledger.isResumed()).isTrue();
      }
    }
    try (RangeLedger ledger = open(claim, "other databases")) {
      assertThat(ledger.isResumed()).isFalse();
    }
    assertThat(directory.toFile().list()).hasSize(claims.size() + 1);
  }

  @Test
  void howFarTheTargetWasLookedThroughIsContinued() {
    try (RangeLedger ledger = open()) {
      ledger.target(Optional.of(List.of("7")));
      assertThat(ledger.state().targetTo()).contains(List.of("7"));
    }
    try (RangeLedger ledger = open()) {
      assertThat(ledger.state().targetTo()).contains(List.of("7"));
      assertThat(ledger.state().targetEnded()).isFalse();
      assertThat(ledger.isResumed()).isFalse();
      ledger.target(Optional.empty());
    }
    try (RangeLedger ledger = open()) {
      assertThat(ledger.state().targetEnded()).isTrue();
      assertThat(ledger.state().targetTo()).contains(List.of("7"));
      assertThat(ledger.state().bytes()).isZero();
    }
  }

  @Test
  void whoeverHasEnoughGetsNoMore() throws Exception {
    try (RangeLedger ledger = open()) {
      ledger.source(Optional.of(List.of("1")), 1, 10, false, List.of(List.of("1")));
      ledger.source(Optional.of(List.of("2")), 1, 15, false, List.of(List.of("2"), List.of("3")));
      assertThat(ledger.state().bytes()).isEqualTo(25);
      List<List<String>> taken = new ArrayList<>();
      assertThat(ledger.forEach("suspects", keys -> !taken.addAll(keys))).isFalse();
      assertThat(taken).containsExactly(List.of("1"));
      assertThat(ledger.forEach("suspects", taken::addAll)).isTrue();
      assertThat(taken).hasSize(4);
      assertThat(ledger.forEach("extra", keys -> false)).isTrue();
    }
  }

  /** What is damaged, and all behind it, is proved anew. */
  @Test
  void whatIsNoLineOfOursEndsWhatCounts() throws Exception {
    for (String damage :
        List.of("{", "[]", "null", "{\"later\":1}", "{\"began\":\"x\"}", "{\"extra\":1}")) {
      try (RangeLedger ledger = open()) {
        ledger.source(Optional.of(List.of("10")), 10, 100, true, List.of());
      }
      Files.writeString(
          file(), damage + "\n{\"source\":{\"rows\":5}}\n", StandardOpenOption.APPEND);
      try (RangeLedger ledger = open()) {
        boolean begun = damage.contains("began");
        assertThat(ledger.state().rows()).as(damage).isEqualTo(begun ? 0 : 10);
        assertThat(ledger.state().sourceEnded()).as(damage).isFalse();
        ledger.delete();
      }
    }
    // Another claim's text under this one's name.
    open().close();
    Files.writeString(file(), "{\"v\":2}\n{\"source\":{\"rows\":5}}\n");
    try (RangeLedger ledger = open()) {
      assertThat(ledger.isResumed()).isFalse();
      assertThat(ledger.state().began()).contains(NOW);
    }
  }

  @Test
  void whatCannotBeWrittenIsSaidByName() throws Exception {
    Path none = Files.writeString(directory.resolve("file"), "");
    assertThatThrownBy(
            () -> RangeLedger.open(none, claim, List.of("id"), "scope", NOW.minusSeconds(60), NOW))
        .isInstanceOf(RangeException.class)
        .hasMessageContaining("state.dir")
        .hasMessageContaining(none.toString());
    Files.delete(none);
    RangeLedger closed = open();
    closed.close();
    assertThatThrownBy(() -> closed.extra(List.of(List.of("1"))))
        .isInstanceOf(RangeException.class)
        .hasMessageContaining(file().toString());
  }
}
