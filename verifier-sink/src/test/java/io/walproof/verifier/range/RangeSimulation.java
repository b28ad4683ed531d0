package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.core.FakeReplay;
import io.walproof.verifier.core.ManualTime;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.SimulatedSides;
import io.walproof.verifier.row.SimulatedSides.Keys;
import io.walproof.verifier.row.SimulatedSides.Trouble;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One seeded history of a range check: two sides with faults among their rows, a writer and a
 * correct applier that go on meanwhile, servers that fail now and then, and crashes after which the
 * check is run again. The real code does everything but reading rows and judging single keys.
 */
final class RangeSimulation {

  /** What a history has. */
  record Traits(Keys keys, boolean indexed, DigestPlace digest, boolean busy, boolean troubled) {}

  private static final int KEYS = 60;
  private static final int RUNS = 30;
  private static final String OPEN = "may be only on the target";

  /** Ends a run where it stands. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private record Change(int key, String value) {}

  private final Traits traits;
  private final Random random;
  private final SimulatedSides sides;
  private final Path ledgers;
  private final RangeLimits limits;
  private final Claim claim;
  private final ManualTime time = new ManualTime();
  private final List<Integer> busyKeys = new ArrayList<>();
  private final Deque<Change> notApplied = new ArrayDeque<>();
  private final List<String> story = Collections.synchronizedList(new ArrayList<>());
  private int keyless;
  private int writes;
  private int callsLeft;
  private boolean crashed;
  private Cancellation cancel = new Cancellation();

  RangeSimulation(long seed, Traits traits, Path ledgers) {
    this.traits = traits;
    this.random = new Random(seed);
    this.ledgers = ledgers;
    this.sides = new SimulatedSides(traits.keys(), traits.indexed(), random.nextInt(8) > 0);
    this.limits =
        new RangeLimits(
            1 + random.nextInt(20),
            1 << (3 + random.nextInt(12)),
            1.0,
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            1 + random.nextInt(8),
            traits.digest(),
            Duration.ofHours(1),
            100_000);
    this.claim = new Claim(SimulatedSides.table(), range(), Claim.Origin.REQUEST);
    populate();
    sides.weather(this::before);
  }

  private KeyRange range() {
    if (random.nextInt(3) > 0) {
      return KeyRange.ALL;
    }
    int from = 100 + random.nextInt(KEYS);
    int to = from + random.nextInt(KEYS);
    return new KeyRange(bound(from), bound(to));
  }

  private Optional<KeyRange.Bound> bound(int key) {
    return random.nextInt(4) == 0
        ? Optional.empty()
        : Optional.of(new KeyRange.Bound(List.of(Integer.toString(key)), random.nextBoolean()));
  }

  private void populate() {
    int rows = random.nextInt(KEYS);
    for (int i = 0; i < rows; i++) {
      // Numbers of two and three digits, so that texts sort otherwise.
      int key = 70 + random.nextInt(2 * KEYS);
      if (traits.busy() && random.nextInt(3) == 0) {
        busyKeys.add(key);
      }
      sides.putSource(key, "v" + key);
      sides.putTarget(key, "v" + key);
    }
    int faults = random.nextInt(4) == 0 ? 0 : random.nextInt(6);
    for (int i = 0; i < faults; i++) {
      int key = 70 + random.nextInt(2 * KEYS);
      if (!busyKeys.contains(key)) {
        damage(key);
      }
    }
    if (!traits.indexed()) {
      keyless = random.nextInt(3);
      sides.keyless(keyless);
    }
    int crowd = 70 + random.nextInt(2 * KEYS);
    if (random.nextInt(25) == 0 && !busyKeys.contains(crowd)) {
      crowd(crowd);
    }
  }

  private void damage(int key) {
    switch (random.nextInt(traits.indexed() ? 4 : 6)) {
      case 0 -> sides.putTarget(key, null);
      case 1 -> sides.putTarget(key, "damaged");
      case 2 -> {
        sides.putSource(key, null);
        sides.putTarget(key, "of another writer");
      }
      case 3 -> sides.unreadable(key);
      // Twice the same, or twice with another value.
      case 4 -> sides.addTarget(key, "v" + key);
      default -> sides.addTarget(key, "twin");
    }
  }

  /** More rows on the target than a page takes. */
  private void crowd(int key) {
    if (traits.indexed()) {
      for (int i = 0; i < 1_500; i++) {
        sides.putTarget(1_000 + i, "crowd");
      }
    } else {
      for (int i = 0; i < 1_100; i++) {
        sides.addTarget(key, "v" + key);
      }
    }
  }

  /** Runs the check until nothing is left open; the last run meets no trouble. */
  RangeResult play() throws InterruptedException {
    for (int run = 1; ; run++) {
      boolean last = run == RUNS || !traits.troubled() || random.nextInt(4) == 0;
      callsLeft = last ? Integer.MAX_VALUE : 1 + random.nextInt(40);
      crashed = false;
      cancel = new Cancellation();
      tell("run " + run + (last ? ", the last" : ""));
      try {
        RangeResult result = once();
        tell(result.toString());
        if (last || (result.progress().complete() && !result.detail().orElse("").contains(OPEN))) {
          return result;
        }
      } catch (RuntimeException e) {
        if (!crashed) {
          throw e;
        }
      }
    }
  }

  private RangeResult once() throws InterruptedException {
    Findings findings = new Findings(100_000);
    Set<Integer> submitted = new TreeSet<>();
    RangeCheck check =
        new RangeCheck(
            new RangeCheck.Parts(
                time,
                limits,
                sides,
                // A correct applier passes every boundary.
                FakeReplay.confirming(this::applyAll),
                new Checks(findings, submitted),
                findings,
                ledgers,
                "simulated",
                false,
                Optional.empty()));
    return check.run(List.of(claim), Deadline.in(time, Duration.ofDays(1)), cancel).get(0);
  }

  /** The pipeline goes on, and things go wrong. Holds the lock of the sides. */
  private Trouble before(String call) {
    tell(call);
    if (traits.busy()) {
      for (int steps = random.nextInt(4); steps > 0; steps--) {
        if (random.nextBoolean()) {
          write();
        } else {
          applyOne();
        }
      }
    }
    if (callsLeft == Integer.MAX_VALUE) {
      return Trouble.NONE;
    }
    callsLeft--;
    if (callsLeft <= 0) {
      tell(random.nextBoolean() ? "crash" : "stop");
      if (story.get(story.size() - 1).equals("stop")) {
        cancel.cancel();
        return Trouble.NONE;
      }
      crashed = true;
      throw new Crash();
    }
    return switch (random.nextInt(40)) {
      case 0 -> Trouble.FAILED;
      case 1 -> Trouble.STALE;
      default -> Trouble.NONE;
    };
  }

  private void write() {
    if (busyKeys.isEmpty()) {
      return;
    }
    int key = busyKeys.get(random.nextInt(busyKeys.size()));
    String value = random.nextInt(3) == 0 ? null : "w" + writes++;
    sides.putSource(key, value);
    notApplied.add(new Change(key, value));
    tell("wrote " + key + '=' + value);
  }

  private void applyOne() {
    Change change = notApplied.poll();
    if (change != null) {
      sides.putTarget(change.key(), change.value());
      tell("applied " + change.key() + '=' + change.value());
    }
  }

  /** The applier does the rest of its work. */
  void applyAll() {
    synchronized (sides) {
      while (!notApplied.isEmpty()) {
        applyOne();
      }
    }
  }

  private void tell(String what) {
    story.add(what);
  }

  /** What happened, for people. */
  String story() {
    return traits + "\n" + claim.range() + ' ' + limits + '\n' + String.join("\n", story);
  }

  boolean inClaim(int key) {
    return SimulatedSides.contains(claim.range(), key);
  }

  Map<Integer, List<String>> rows(Side side) {
    return sides.rows(side).entrySet().stream()
        .filter(row -> inClaim(row.getKey()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Rows of the target that a check of this claim counts although no key names them. */
  long keyless() {
    return claim.range().isWhole() ? keyless : 0;
  }

  Traits traits() {
    return traits;
  }

  /** Judges keys when everything is applied and nobody writes. */
  private final class Checks implements KeyChecks {
    private final Findings findings;
    private final Set<Integer> submitted;

    Checks(Findings findings, Set<Integer> submitted) {
      this.findings = findings;
      this.submitted = submitted;
    }

    @Override
    public boolean submit(TableId table, RowKey key) {
      tell("suspect " + SimulatedSides.number(key));
      submitted.add(SimulatedSides.number(key));
      return true;
    }

    @Override
    public boolean awaitDecided(Deadline deadline, Cancellation stop) {
      applyAll();
      for (int key : submitted) {
        verdict(key).ifPresent(v -> findings.accept(List.of(SteeredChecks.decision(key, v))));
      }
      return true;
    }

    private Optional<Verdict> verdict(int key) {
      List<String> here = sides.rows(Side.SOURCE).getOrDefault(key, List.of());
      List<String> there = sides.rows(Side.TARGET).getOrDefault(key, List.of());
      if (here.isEmpty()) {
        return Optional.empty();
      }
      if (there.isEmpty()) {
        return Optional.of(new Verdict.Unresolved(Verdict.Unresolved.Kind.MISSING));
      }
      if (there.size() > 1) {
        return Optional.of(new Verdict.Incomplete(IncompleteReason.NOT_UNIQUE));
      }
      if (sides.isUnreadable(key)) {
        return Optional.of(new Verdict.Incomplete(IncompleteReason.ROW_TOO_LARGE));
      }
      return here.equals(there)
          ? Optional.empty()
          : Optional.of(new Verdict.Unresolved(Verdict.Unresolved.Kind.DIFFERENT));
    }

    @Override
    public void record(AuditEntry entry) {}
  }

  boolean isUnreadable(int key) {
    return sides.isUnreadable(key);
  }
}
