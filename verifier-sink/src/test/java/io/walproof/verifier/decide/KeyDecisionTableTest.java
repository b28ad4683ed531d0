package io.walproof.verifier.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * The decision against an independent statement of its rules: a literal table over named
 * situations, of which exactly one row must apply to any combination of reads. Snapshots are coded
 * as numbers here, 0 for an absent row and else 1 + hash * {@link #WIDTH} + xmin, so that no code
 * is shared with what is tested.
 */
class KeyDecisionTableTest {

  private static final int WIDTH = 8;
  private static final long IGNORED = 7;
  private static final long JUDGED = 8;

  /** Columns: source, target, T against the fresh source reads, owner -> verdict. */
  private static final List<String[]> RULES =
      Stream.of(
              // A stable match wins over everything.
              "STILL|SETTLED  *                            MATCHES  *        converged",
              // The source row's owner, wherever there was no stable match.
              "STILL|SETTLED  *                            DIFFERS  IGNORED  ignored_app",
              "MOVING         *                            *        IGNORED  ignored_app",
              // Unchanged since S0.
              "STILL          REWRITTEN|APPEARED           DIFFERS  JUDGED   advanced",
              "STILL          SAME                         DIFFERS  JUDGED   unresolved/DIFFERENT",
              "STILL          NEVER|VANISHED               DIFFERS  JUDGED   unresolved/MISSING",
              // Changed since S0 and quiet again.
              "SETTLED        REWRITTEN|APPEARED           DIFFERS  JUDGED   advanced",
              "SETTLED        SAME|NEVER|VANISHED          DIFFERS  JUDGED   unresolved/TARGET_STALLED",
              // Changing between S1 and S2: only a row that stands still can be accused.
              "MOVING         REWRITTEN|APPEARED|VANISHED  *        JUDGED   advanced",
              "MOVING         SAME|NEVER                   MATCHES  JUDGED   converged",
              "MOVING         SAME                         DIFFERS  JUDGED   unresolved/TARGET_STALLED",
              "MOVING         NEVER                        DIFFERS  JUDGED   incomplete/SOURCE_UNSTABLE")
          .map(rule -> rule.split(" +"))
          .toList();

  @Test
  void everyCombinationOfReadsFollowsExactlyOneRule() {
    int[] states = states(3, 3);
    int[] fired = new int[RULES.size()];
    for (int s0 : states) {
      for (int t0 : states) {
        for (int s1 : states) {
          for (int t : states) {
            for (int s2 : states) {
              for (long app : new long[] {0, IGNORED, JUDGED}) {
                check(fired, s0, t0, s1, t, s2, app);
              }
            }
          }
        }
      }
    }
    assertThat(fired).as("how often each rule applied").doesNotContain(0);
    assertThat(Arrays.stream(fired).sum()).isEqualTo(300_000);
  }

  /** Wider than three values: all five hashes may differ from one another. */
  @Property(tries = 20_000)
  void soDoWiderCombinations(
      @ForAll @IntRange(max = 64) int s0,
      @ForAll @IntRange(max = 64) int t0,
      @ForAll @IntRange(max = 64) int s1,
      @ForAll @IntRange(max = 64) int t,
      @ForAll @IntRange(max = 64) int s2,
      @ForAll @IntRange(max = 9) int app) {
    check(new int[RULES.size()], s0, t0, s1, t, s2, app);
  }

  private static void check(int[] fired, int s0, int t0, int s1, int t, int s2, long app) {
    String[] situation = {
      source(s0, s1, s2),
      target(t0, t),
      contents(t) == contents(s1) || contents(t) == contents(s2) ? "MATCHES" : "DIFFERS",
      app == IGNORED ? "IGNORED" : "JUDGED"
    };
    List<Integer> applying = new ArrayList<>();
    for (int i = 0; i < RULES.size(); i++) {
      if (applies(RULES.get(i), situation)) {
        applying.add(i);
      }
    }
    String where = "S0=%d T0=%d S1=%d T=%d S2=%d app=%d".formatted(s0, t0, s1, t, s2, app);
    if (applying.size() != 1) {
      throw new AssertionError(where + " has rules " + applying);
    }
    int rule = applying.get(0);
    fired[rule]++;

    Judgement judgement =
        KeyDecision.decide(
            new Evidence(
                snapshot(s0), snapshot(t0), snapshot(s1), snapshot(t), snapshot(s2), owner(app)),
            Set.of(IGNORED, 99L));
    String expected = RULES.get(rule)[4];
    if (!said(judgement.verdict()).equals(expected)) {
      throw new AssertionError(where + ": " + judgement + " but rule says " + expected);
    }
    if (judgement.sourceChanged() == situation[0].equals("STILL")) {
      throw new AssertionError(where + ": source_changed is " + judgement.sourceChanged());
    }
  }

  private static String source(int s0, int s1, int s2) {
    int distinct = new TreeSet<>(List.of(s0, s1, s2)).size();
    return distinct == 1 ? "STILL" : s1 == s2 ? "SETTLED" : "MOVING";
  }

  private static String target(int t0, int t) {
    if (t0 == t) {
      return t == 0 ? "NEVER" : "SAME";
    }
    return t0 == 0 ? "APPEARED" : t == 0 ? "VANISHED" : "REWRITTEN";
  }

  private static int contents(int state) {
    return state == 0 ? -1 : (state - 1) / WIDTH;
  }

  private static boolean applies(String[] cells, String[] situation) {
    for (int i = 0; i < situation.length; i++) {
      if (!cells[i].equals("*") && !List.of(cells[i].split("\\|")).contains(situation[i])) {
        return false;
      }
    }
    return true;
  }

  private static String said(Verdict verdict) {
    if (verdict instanceof Verdict.Unresolved unresolved) {
      return "unresolved/" + unresolved.kind();
    }
    if (verdict instanceof Verdict.Incomplete incomplete) {
      return "incomplete/" + incomplete.reason();
    }
    if (verdict instanceof Verdict.IgnoredApp ignored && ignored.app() != IGNORED) {
      return "ignored_app with the wrong id";
    }
    return verdict.outcome();
  }

  private static int[] states(int hashes, int xmins) {
    int[] states = new int[1 + hashes * xmins];
    int at = 1;
    for (int hash = 0; hash < hashes; hash++) {
      for (int xmin = 0; xmin < xmins; xmin++) {
        states[at++] = 1 + hash * WIDTH + xmin;
      }
    }
    return states;
  }

  private static RowSnapshot snapshot(int state) {
    if (state == 0) {
      return RowSnapshot.absent();
    }
    return new RowSnapshot.Present(
        new RowHash((state - 1) / WIDTH, (state - 1) / WIDTH), (state - 1) % WIDTH);
  }

  private static OptionalLong owner(long app) {
    return app == 0 ? OptionalLong.empty() : OptionalLong.of(app);
  }
}
