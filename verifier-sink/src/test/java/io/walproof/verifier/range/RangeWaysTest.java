package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.verifier.core.FakeReplay;
import io.walproof.verifier.core.ManualTime;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.SimulatedSides;
import io.walproof.verifier.row.SimulatedSides.Keys;
import io.walproof.verifier.row.SimulatedSides.Trouble;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever way a table's rows are paired and digested, and whichever call fails once, the same rows
 * are named, and each row is read once.
 */
class RangeWaysTest {

  /** How a table is gone through. */
  record Way(Keys keys, boolean indexed, DigestPlace digest) {}

  private static final int MISSING = 75;
  private static final int DIFFERENT = 81;
  private static final int TWICE = 90;
  private static final int EXTRA = 95;
  private static final int BEHIND = 200;
  private static final int KEYLESS = 2;
  private static final int FIRST = 70;
  private static final int LAST = 129;

  @TempDir private Path directory;

  private final ManualTime time = new ManualTime();

  static List<Way> ways() {
    List<Way> ways = new ArrayList<>();
    for (Keys keys : Keys.values()) {
      ways.add(new Way(keys, true, DigestPlace.CLIENT));
      ways.add(new Way(keys, false, DigestPlace.CLIENT));
    }
    ways.add(new Way(Keys.SCALED, true, DigestPlace.SERVER));
    return ways;
  }

  /** One for each class that goes through a range. */
  static List<Way> walks() {
    return List.of(
        new Way(Keys.ALIKE, true, DigestPlace.CLIENT),
        new Way(Keys.SORTED_APART, false, DigestPlace.CLIENT),
        new Way(Keys.SCALED, true, DigestPlace.SERVER));
  }

  private static SimulatedSides sides(Way way) {
    SimulatedSides sides = new SimulatedSides(way.keys(), way.indexed(), true);
    // Numbers of two and three digits, so that texts sort otherwise.
    for (int key = FIRST; key <= LAST; key++) {
      sides.putSource(key, "v" + key);
      sides.putTarget(key, "v" + key);
    }
    sides.putTarget(MISSING, null);
    sides.putTarget(DIFFERENT, "damaged");
    sides.putSource(EXTRA, null);
    sides.putTarget(BEHIND, "of another writer");
    if (!way.indexed()) {
      sides.addTarget(TWICE, "v" + TWICE);
      sides.keyless(KEYLESS);
    }
    return sides;
  }

  private static Optional<Verdict> verdict(int key) {
    return switch (key) {
      case MISSING -> Optional.of(new Verdict.Unresolved(Kind.MISSING));
      case DIFFERENT -> Optional.of(new Verdict.Unresolved(Kind.DIFFERENT));
      case TWICE -> Optional.of(new Verdict.Incomplete(IncompleteReason.NOT_UNIQUE));
      default -> Optional.empty();
    };
  }

  private RangeResult run(Way way, SimulatedSides sides, KeyRange range, Path ledgers)
      throws Exception {
    Findings findings = new Findings(100);
    SteeredChecks checks = new SteeredChecks(findings);
    checks.each(RangeWaysTest::verdict);
    RangeLimits limits =
        new RangeLimits(
            7,
            1 << 20,
            1.0,
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            3,
            way.digest(),
            Duration.ofHours(1),
            100);
    return new RangeCheck(
            new RangeCheck.Parts(
                time,
                limits,
                sides,
                FakeReplay.confirming(() -> {}),
                checks,
                findings,
                ledgers,
                "two databases",
                false,
                Optional.empty()))
        .run(
            List.of(new Claim(SimulatedSides.table(), range, Claim.Origin.REQUEST)),
            Deadline.in(time, Duration.ofDays(1)),
            new Cancellation())
        .get(0);
  }

  private static KeyRange.Bound bound(int key, boolean inclusive) {
    return new KeyRange.Bound(List.of(Integer.toString(key)), inclusive);
  }

  private static Set<Integer> numbers(RangeResult.Names names) {
    Set<Integer> numbers = new TreeSet<>();
    names.named().forEach(key -> numbers.add(SimulatedSides.number(key)));
    return numbers;
  }

  private static void assertFound(Way way, RangeResult result, int rows, Integer... extra) {
    Map<String, RangeResult.Names> found = result.keys().byOutcome();
    assertThat(numbers(found.get("unresolved_missing"))).containsExactly(MISSING);
    assertThat(numbers(found.get("unresolved_different"))).containsExactly(DIFFERENT);
    assertThat(result.outcome()).isEqualTo(RangeOutcome.FAILED);
    assertThat(numbers(result.targetOnly())).containsExactly(extra);
    if (way.indexed()) {
      assertThat(found).doesNotContainKey("incomplete");
      assertThat(result.targetOnly().count()).isEqualTo(extra.length);
    } else {
      // A key that the target has twice is never a match.
      assertThat(numbers(found.get("incomplete"))).containsExactly(TWICE);
      assertThat(result.detail().orElseThrow()).contains("1 rows could not be judged");
      boolean whole = result.claim().range().isWhole();
      assertThat(result.targetOnly().count()).isEqualTo(extra.length + (whole ? KEYLESS : 0));
      assertThat(result.detail().orElseThrow().contains(KEYLESS + " of the rows that only"))
          .isEqualTo(whole);
    }
    assertThat(result.progress().rows()).isEqualTo(rows);
    assertThat(result.progress().complete()).isTrue();
    assertThat(result.pairing())
        .contains(way.keys() == Keys.SORTED_APART ? "by_lookup" : "by_order");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void whatDiffersIsNamed(Way way) throws Exception {
    RangeResult whole = run(way, sides(way), KeyRange.ALL, directory.resolve("whole"));
    assertFound(way, whole, LAST - FIRST, EXTRA, BEHIND);
    assertThat(whole.digest()).contains(way.digest().text());
    long chunks = whole.progress().chunksEqual() + whole.progress().chunksDiffering();
    if (way.indexed()) {
      // 59 rows in chunks of seven; the last is not full.
      assertThat(chunks).isEqualTo(9);
    }
    KeyRange part = new KeyRange(Optional.of(bound(MISSING, true)), Optional.of(bound(100, false)));
    RangeResult some = run(way, sides(way), part, directory.resolve("part"));
    assertFound(way, some, 100 - MISSING - 1, EXTRA);
    KeyRange open = new KeyRange(Optional.of(bound(MISSING, false)), Optional.empty());
    RangeResult behind = run(way, sides(way), open, directory.resolve("open"));
    assertThat(behind.keys().byOutcome()).doesNotContainKey("unresolved_missing");
    assertThat(numbers(behind.targetOnly())).containsExactly(EXTRA, BEHIND);
  }

  /** A check that is cut off goes on where it stood, and a stale plan is replaced (invariant A). */
  @ParameterizedTest
  @MethodSource("walks")
  void whicheverCallFailsOnceNothingIsLostOrTakenTwice(Way way) throws Exception {
    int failed = 0;
    for (int nth = 1; failed == nth - 1; nth++) {
      Trouble trouble = nth % 2 == 1 ? Trouble.FAILED : Trouble.STALE;
      SimulatedSides sides = sides(way);
      AtomicInteger calls = new AtomicInteger();
      int at = nth;
      sides.weather(call -> calls.incrementAndGet() == at ? trouble : Trouble.NONE);
      Path ledgers = directory.resolve(Integer.toString(nth));
      RangeResult result = run(way, sides, KeyRange.ALL, ledgers);
      if (calls.get() < at) {
        break;
      }
      failed++;
      sides.weather(call -> Trouble.NONE);
      boolean open =
          !result.progress().complete()
              || result.detail().orElse("").contains("may be only on the target");
      if (open) {
        result = run(way, sides, KeyRange.ALL, ledgers);
      }
      assertFound(way, result, LAST - FIRST, EXTRA, BEHIND);
    }
    assertThat(failed).isGreaterThan(5);
  }
}
