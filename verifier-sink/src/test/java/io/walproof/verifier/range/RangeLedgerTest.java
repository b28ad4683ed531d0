package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
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
}
