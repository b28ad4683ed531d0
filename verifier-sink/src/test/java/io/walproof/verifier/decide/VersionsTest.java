package io.walproof.verifier.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Lsn;
import io.walproof.verifier.model.MatchedVersion;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.RowVersion;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import io.walproof.verifier.model.VersionGap;
import io.walproof.verifier.model.VisibleTransactions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rule by versions (config/architecture.md, "Rows that keep changing"): its table by named
 * situations, and every short history against what is true of it.
 */
class VersionsTest {

  /** An absent row. */
  private static final int GONE = 0;

  private static final int CONTENTS = 3;
  private static final int LONGEST = 4;

  /**
   * A version is {@code contents@transaction}; of one transaction the last is the committed one.
   * {@code ?} is untold, {@code !} a loss. Transactions up to {@code seen} are visible to S1.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // situation,                               S1,   T, S2,  seen, versions,            verdict
    "a version that no read saw,                a@10, c, d@13, 10, b@11 c@12 d@13,       converged 12",
    "the newest of two equal ones,              a@10, b, d@14, 10, b@11 c@12 b@13 d@14,  converged 13",
    "newer than what the source shows,          a@10, c, b@11, 10, b@11 c@12,            converged 12",
    "newer than a source that stands still,     a@10, b, a@10, 10, b@11,                 converged 11",
    "still what S1 read,                        b@10, b, c@11, 10, a@9 b@10 c@11,        converged 10",
    "what S1 read from before the list,         b@10, b, c@11, 10, c@11,                 converged",
    "gone for a moment,                         a@10, -, b@12, 10, -@11 b@12,            converged 11",
    "recurs older and newer,                    b@10, a, c@12, 10, a@9 b@10 a@11 c@12,   converged 11",
    "only an older version,                     b@10, a, c@11, 10, a@9 b@10 c@11,        stale",
    "only what S0 read,                         b@10, z, c@11, 10, c@11,                 stale",
    "older and the source stands still,         b@10, a, b@10, 10, a@9 b@10,             stale",
    "absent again as long ago,                  b@10, -, c@11, 10, -@9 b@10 c@11,        stale",
    "no version at all,                         a@10, x, c@11, 10, b@11 c@11,            different",
    "absent and never was,                      a@10, -, c@12, 10, b@11 c@12,            missing",
    "what a transaction passed through,         a@10, b, c@11, 10, b@11 c@11,            uncommitted",
    "passed through before the floor,           a@10, b, c@11, 10, b@10 a@10 c@11,       stale",
    "an untold version between,                 a@10, x, c@12, 10, ?@11 c@12,            unchanged_toast",
    "an untold version before the floor,        a@10, x, c@12, 10, ?@9 a@10 c@12,        different",
    "an untold version is the floor,            a@10, x, c@12, 10, ?@10 c@12,            different",
    "a loss between,                            a@10, x, c@12, 10, a@10 ! c@12,          changes_missed",
    "a loss behind all,                         a@10, x, c@12, 10, a@10 c@12 !,          changes_missed",
    "a loss before the floor,                   a@10, x, c@12, 10, ! a@10 c@12,          different",
    "a loss and no floor,                       a@10, x, c@12, 10, ! c@12,               changes_missed",
    "a loss right behind a match,               a@10, c, c@12, 10, a@10 c@12 !,          changes_missed",
    "a loss between is no matter for a match,   a@10, c, c@12, 10, a@10 ! c@12,          converged 12",
    "S2 is none of them,                        a@10, x, d@12, 10, a@10 c@12,            unexplained",
    "S1 is not what its snapshot shows,         z@10, x, c@12, 10, a@10 c@12,            unexplained",
    "not in the order of visibility,            a@10, x, a@10, 10, c@12 a@10,            unexplained",
    // The row is read a moment after the snapshot was noted.
    "S1 saw one more than its snapshot,         b@11, a, c@12, 10, a@10 b@11 c@12,       stale",
    "S1 saw one more in a subtransaction,       b@99, a, c@12, 10, a@10 b@11 c@12,       stale",
    "S1 saw the same contents once more,        a@12, b, c@13, 10, a@10 b@11 a@12 c@13,  stale",
    "S1 saw one more past an untold one,        c@12, b, d@13, 10, ?@10 b@11 c@12 d@13,  stale",
    "S1 saw an untold one or a later equal one, a@99, c, a@13, 10, b@10 ?@11 c@12 a@13,  unexplained",
    "S1 saw a lost one or a later equal one,    a@99, c, a@13, 10, b@10 ! c@12 a@13,     unexplained",
    "S1 saw one of two equal ones,              a@99, b, c@13, 10, a@10 b@11 a@12 c@13,  unexplained",
    "newer than both equal ones,                a@99, c, c@13, 10, a@10 b@11 a@12 c@13,  converged 13",
    "one of two absences,                       -, b, c@13, 10, -@10 b@11 -@12 c@13,     unexplained",
    "absent in both absences,                   -, -, c@13, 10, -@10 b@11 -@12 c@13,     converged 12",
  })
  void situation(
      String name, String s1, String t, String s2, long seen, String versions, String verdict) {
    Evidence evidence =
        new Evidence(
            at("z@5"),
            at("q@400"),
            at(s1),
            at(t.equals("-") ? "-" : t + "@500"),
            at(s2),
            OptionalLong.empty(),
            streamed(seen, versions, Optional.empty()));
    assertThat(said(evidence)).isEqualTo(verdict);
  }

  @Test
  void aStreamThatIsBehindAccusesNobodyAndStillKnowsWhatItShowed() {
    assertThat(behind("x")).isEqualTo("stream_behind");
    assertThat(behind("b")).isEqualTo("stream_behind");
    assertThat(behind("c")).isEqualTo("converged 12");
    // What S1 saw is still to come.
    assertThat(
            said(
                new Evidence(
                    at("z@5"),
                    at("q@400"),
                    at("b@11"),
                    at("x@500"),
                    at("c@12"),
                    OptionalLong.empty(),
                    streamed(10, "a@10", Optional.of(VersionGap.STREAM_BEHIND)))))
        .isEqualTo("stream_behind");
    // Its transaction may go on.
    assertThat(behind("d")).isEqualTo("stream_behind");
  }

  private static String behind(String t) {
    return said(
        new Evidence(
            at("z@5"),
            at("q@400"),
            at("a@10"),
            at(t + "@500"),
            at("d@13"),
            OptionalLong.empty(),
            streamed(10, "b@9 a@10 c@12 d@13", Optional.of(VersionGap.STREAM_BEHIND))));
  }

  /**
   * An older transaction goes on, so that the snapshot alone does not tell what S1 saw; the row's
   * writer does, also where it is the first version that is kept. What is behind it is newer.
   */
  @Test
  void theWriterTellsWhichOfSeveralEqualOnesWasSeen() {
    Versions.Streamed list = streamed(0, "a@11 b@12 a@13 c@14", Optional.empty());
    VisibleTransactions tenGoesOn = new VisibleTransactions(10, 12, Set.of(10L));
    Versions versions = new Versions.Streamed(list.versions(), tenGoesOn, Optional.empty());
    assertThat(said(movedTo("b", "a@11", versions))).isEqualTo("converged 12");
    // A subtransaction's id tells nothing.
    assertThat(said(movedTo("b", "a@99", versions))).isEqualTo("unexplained");
  }

  private static Evidence movedTo(String target, String s1, Versions versions) {
    return new Evidence(
        at("z@5"),
        at("q@400"),
        at(s1),
        at(target + "@500"),
        at("c@14"),
        OptionalLong.empty(),
        versions);
  }

  @Test
  void whatIsMissingIsTheReason() {
    Evidence moved = evidence(new Versions.Missing(VersionGap.PUBLICATION));
    assertThat(KeyDecision.decide(moved, Set.of()).verdict())
        .isEqualTo(new Verdict.Advanced(Optional.of(VersionGap.PUBLICATION)));
    assertThat(KeyDecision.decide(evidence(new Versions.Off()), Set.of()).verdict())
        .isEqualTo(new Verdict.Advanced());
  }

  private static Evidence evidence(Versions versions) {
    return new Evidence(
        at("z@5"),
        at("q@400"),
        at("a@10"),
        at("x@500"),
        at("c@12"),
        OptionalLong.empty(),
        versions);
  }

  /** A row that came and went on the source, and was never seen on the target. */
  @Test
  void anAbsenceOnAMovingSourceIsDecidedToo() {
    RowSnapshot absent = RowSnapshot.absent();
    Versions gone = streamed(10, "-@11 c@12", Optional.empty());
    Versions always = streamed(10, "b@11 c@12", Optional.empty());
    assertThat(said(unseen(absent, gone))).isEqualTo("converged 11");
    assertThat(said(unseen(absent, always))).isEqualTo("missing");
    assertThat(said(unseen(absent, streamed(10, "! c@12", Optional.empty()))))
        .isEqualTo("source_unstable");
  }

  private static Evidence unseen(RowSnapshot absent, Versions versions) {
    return new Evidence(
        at("z@5"), absent, at("a@10"), absent, at("c@12"), OptionalLong.empty(), versions);
  }

  /** Versions are asked only where the table has no proof, and never before the owner. */
  @Test
  void aMatchAndAnIgnoredOwnerComeFirst() {
    Versions accusing = streamed(10, "c@12", Optional.empty());
    Evidence stable =
        new Evidence(
            at("z@5"),
            at("q@400"),
            at("a@10"),
            at("a@500"),
            at("a@10"),
            OptionalLong.empty(),
            accusing);
    assertThat(KeyDecision.decide(stable, Set.of()).verdict()).isEqualTo(new Verdict.Converged());
    Evidence owned =
        new Evidence(
            at("z@5"),
            at("q@400"),
            at("a@10"),
            at("x@500"),
            at("c@12"),
            OptionalLong.of(7),
            accusing);
    assertThat(KeyDecision.decide(owned, Set.of(7L)).verdict())
        .isEqualTo(new Verdict.IgnoredApp(7));
    assertThat(KeyDecision.decide(owned, Set.of()).verdict())
        .isEqualTo(new Verdict.Unresolved(Kind.DIFFERENT));
  }

  /**
   * Every history of up to {@value #LONGEST} changes after the first: whatever the contents, how
   * they share transactions, what S1's snapshot shows, whether S1 saw one transaction more, what S2
   * saw, from where versions are kept, and what the target holds.
   */
  @Test
  void everyShortHistoryIsJudgedByWhatIsTrueOfIt() {
    int[] judged = new int[3];
    for (int length = 1; length <= LONGEST; length++) {
      int[] contents = new int[length + 1];
      for (int code = 0; code < Math.pow(CONTENTS, length + 1); code++) {
        int rest = code;
        for (int i = 0; i <= length; i++) {
          contents[i] = rest % CONTENTS;
          rest /= CONTENTS;
        }
        for (int joins = 0; joins < 1 << length; joins++) {
          // The first state is one that was committed before, on its own.
          if ((joins & 1) == 0) {
            history(contents, joins, judged);
          }
        }
      }
    }
    assertThat(judged).as("converged, accused, excused").doesNotContain(0);
  }

  private static void history(int[] contents, int joins, int[] judged) {
    int n = contents.length;
    int[] transaction = new int[n];
    for (int i = 1; i < n; i++) {
      transaction[i] = transaction[i - 1] + ((joins >> (i - 1) & 1) == 1 ? 0 : 1);
    }
    for (int seen = 0; seen < n; seen++) {
      if (!committed(transaction, seen)) {
        continue;
      }
      for (int s1 = seen; s1 < n; s1++) {
        if (!committed(transaction, s1) || transaction[s1] > transaction[seen] + 1) {
          continue;
        }
        for (int s2 = s1; s2 < n; s2++) {
          if (committed(transaction, s2)) {
            for (int kept = 0; kept <= seen + 1; kept++) {
              for (int t = 0; t <= CONTENTS; t++) {
                judge(contents, transaction, seen, s1, s2, kept, t, judged);
              }
            }
          }
        }
      }
    }
  }

  private static boolean committed(int[] transaction, int i) {
    return i + 1 == transaction.length || transaction[i + 1] != transaction[i];
  }

  private static void judge(
      int[] contents, int[] transaction, int seen, int s1, int s2, int kept, int t, int[] judged) {
    List<RowVersion> versions = new ArrayList<>();
    for (int i = kept; i < contents.length; i++) {
      versions.add(
          new RowVersion.Change(
              new Lsn(100 + transaction[i]),
              100 + transaction[i],
              new RowVersion.Known(hash(contents[i]))));
    }
    long firstHidden = 101L + transaction[seen];
    Finding finding =
        new Versions.Streamed(
                versions,
                new VisibleTransactions(firstHidden, firstHidden, Set.of()),
                Optional.empty())
            .find(
                RowSnapshot.absent(),
                row(contents[s1], 100 + transaction[s1]),
                row(t, 7_000),
                row(contents[s2], 100 + transaction[s2]));

    boolean trulyNew = false;
    boolean trulyState = false;
    boolean perhapsState = false;
    for (int i = seen; i < contents.length; i++) {
      boolean equal = contents[i] == t;
      trulyNew |= equal && committed(transaction, i) && i >= s1;
      perhapsState |= equal;
      trulyState |= equal && i >= s1;
    }
    String where =
        "%s in %s, seen %d, S1 %d, S2 %d, kept from %d, T %d: %s"
            .formatted(
                Arrays.toString(contents),
                Arrays.toString(transaction),
                seen,
                s1,
                s2,
                kept,
                t,
                finding);
    if (finding instanceof Finding.Equal) {
      judged[0]++;
      assertThat(trulyNew).as("what is older than S1 is taken for equal: %s", where).isTrue();
    } else if (finding instanceof Finding.Wrong) {
      judged[1]++;
      assertThat(trulyState).as("a correct applier is accused: %s", where).isFalse();
    } else {
      judged[2]++;
      // Which of several absences S1 saw, nothing tells.
      assertThat(((Finding.Unknown) finding).gap())
          .as(where)
          .isIn(
              contents[s1] == GONE
                  ? Set.of(VersionGap.UNCOMMITTED, VersionGap.UNEXPLAINED)
                  : Set.of(VersionGap.UNCOMMITTED));
      assertThat(perhapsState).as(where).isTrue();
    }
    if (trulyNew && contents[s1] != GONE) {
      assertThat(finding).as(where).isInstanceOf(Finding.Equal.class);
    }
    if (!perhapsState) {
      assertThat(finding).as(where).isInstanceOf(Finding.Wrong.class);
    }
  }

  private static RowSnapshot row(int contents, long xmin) {
    return hash(contents)
        .<RowSnapshot>map(hash -> new RowSnapshot.Present(hash, xmin))
        .orElse(RowSnapshot.absent());
  }

  private static Optional<RowHash> hash(int contents) {
    return contents == GONE ? Optional.empty() : Optional.of(new RowHash(1, contents));
  }

  private static Versions.Streamed streamed(long seen, String versions, Optional<VersionGap> open) {
    List<RowVersion> list = new ArrayList<>();
    for (String version : versions.strip().split(" ", -1)) {
      if (version.equals("!")) {
        list.add(new RowVersion.Lost(VersionGap.CHANGES_MISSED));
      } else {
        String[] parts = version.split("@", -1);
        long transaction = Long.parseLong(parts[1]);
        list.add(new RowVersion.Change(new Lsn(transaction), transaction, state(parts[0])));
      }
    }
    return new Versions.Streamed(list, new VisibleTransactions(seen + 1, seen + 1, Set.of()), open);
  }

  private static RowVersion.State state(String text) {
    return switch (text) {
      case "?" -> new RowVersion.Untold(VersionGap.UNCHANGED_TOAST);
      case "-" -> new RowVersion.Known(Optional.empty());
      default -> new RowVersion.Known(Optional.of(new RowHash(1, text.charAt(0))));
    };
  }

  private static RowSnapshot at(String text) {
    if (text.equals("-")) {
      return RowSnapshot.absent();
    }
    String[] parts = text.split("@", -1);
    return new RowSnapshot.Present(new RowHash(1, parts[0].charAt(0)), Long.parseLong(parts[1]));
  }

  private static String said(Evidence evidence) {
    Verdict verdict = KeyDecision.decide(evidence, Set.of()).verdict();
    if (verdict instanceof Verdict.Converged converged) {
      MatchedVersion matched = converged.matchedVersion().orElseThrow();
      return "converged" + matched.lsn().map(lsn -> " " + lsn.value()).orElse("");
    }
    if (verdict instanceof Verdict.Unresolved unresolved) {
      return unresolved.kind().text();
    }
    if (verdict instanceof Verdict.Incomplete incomplete) {
      return incomplete.reason().text();
    }
    return ((Verdict.Advanced) verdict).gap().orElseThrow().text();
  }
}
