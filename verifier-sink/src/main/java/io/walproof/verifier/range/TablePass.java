package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.contract.SqlIdentifier;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess.Opening;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.RowDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One claim's check, from its plan to its result. For one thread, {@link #status} excepted. */
final class TablePass {

  private final RangeCheck.Parts parts;
  private final Claim claim;
  private final Deadline deadline;
  private final Cancellation cancel;

  /** How often a table is begun anew because its shape changed. */
  private static final int ATTEMPTS = 3;

  /** What the target lacks is a failure, also where it is found out on the way. */
  private static final Set<String> LACKING =
      Set.of(
          IncompleteReason.TARGET_TABLE_MISSING.text(),
          IncompleteReason.TARGET_COLUMN_MISSING.text());

  private final PassProgress progress = new PassProgress();
  private final long began;
  private final Exactness exactness;
  private volatile long estimatedRows = -1;
  private RangePlan plan;
  private RangeLedger ledger;
  private TargetOnlyRows targetOnly;
  private RangeOutcome unreadAs = RangeOutcome.INCOMPLETE;
  private WalkEnd walked = WalkEnd.cancelled();
  private boolean resumed;
  private Optional<Instant> provedSince = Optional.empty();
  private DigestPlace digested = DigestPlace.CLIENT;
  private Duration took = Duration.ZERO;

  TablePass(RangeCheck.Parts parts, Claim claim, Deadline deadline, Cancellation cancel) {
    this.parts = parts;
    this.claim = claim;
    this.deadline = deadline;
    this.cancel = cancel;
    this.began = parts.time().nanoTime();
    this.exactness = new Exactness(parts.witness(), claim.table(), deadline, cancel);
  }

  RangeCheck.Status status(int number, int of, boolean allRead) {
    return new RangeCheck.Status(
        claim.table(),
        number,
        of,
        progress.snapshot(),
        estimatedRows,
        allRead,
        allRead ? RangeStage.VERDICTS : progress.stage());
  }

  boolean hasSuspects() {
    return progress.suspects() > 0;
  }

  /** Reads both sides; what the digests do not prove is under way when it returns. */
  void run() throws InterruptedException {
    try {
      attempt();
      for (int again = 1; again < ATTEMPTS && schemaChanged(); again++) {
        ledger.delete();
        ledger = null;
        plan = null;
        attempt();
      }
    } finally {
      // Others are still to be read, and there may be more of them than files can be open.
      if (ledger != null) {
        ledger.close();
      }
      took = Duration.ofNanos(parts.time().nanoTime() - began);
    }
  }

  /** What was proved by other columns or rules is worth nothing: all of it is read again. */
  private boolean schemaChanged() {
    return ledger != null && walked.reason().filter(SideReader.SCHEMA_CHANGED::equals).isPresent();
  }

  private void attempt() throws InterruptedException {
    progress.enter(RangeStage.OPENING);
    Opening opening = parts.access().open(claim.table(), readDeadline(), cancel);
    if (opening instanceof Opening.Skipped skipped) {
      unreadAs = RangeOutcome.SKIPPED;
      walked = WalkEnd.stopped(skipped.reason(), skipped.detail());
    } else if (opening instanceof Opening.Unavailable unavailable) {
      unavailable(unavailable);
    } else if (opening instanceof Opening.Ready ready) {
      Optional<WalkEnd> obstacle =
          new ClaimBounds(parts, claim, ready.plan(), deadline, cancel).obstacle();
      if (obstacle.isPresent()) {
        walked = obstacle.get();
      } else {
        plan = ready.plan();
        walk();
      }
    }
  }

  /** What the target lacks is a finding, not an obstacle. */
  private void unavailable(Opening.Unavailable unavailable) {
    unreadAs =
        switch (unavailable.reason()) {
          case TARGET_TABLE_MISSING, TARGET_COLUMN_MISSING -> RangeOutcome.FAILED;
          case REPLAY_NOT_CONFIRMED,
              CONFIRMATION_FAILED,
              SOURCE_READ_FAILED,
              TRANSACTION_NOT_VISIBLE,
              TARGET_READ_FAILED,
              NOT_COMPARABLE,
              ROW_TOO_LARGE,
              NOT_UNIQUE,
              SOURCE_UNSTABLE,
              SCHEMA_CHANGED,
              SHAPE_NOT_ACCEPTED,
              DIVERTED_NOT_KEPT,
              SOURCE_TABLE_MISSING,
              TABLE_TIMEOUT,
              CANCELLED,
              PARTITION_REVOKED,
              TABLE_NOT_REPLICATED ->
              RangeOutcome.INCOMPLETE;
        };
    walked = WalkEnd.unread(unavailable.reason(), unavailable.detail(), deadline);
  }

  private void walk() throws InterruptedException {
    Instant now = parts.time().now();
    // Proofs of other databases, or under another shape or order, prove nothing here.
    String scope = String.join(" ", parts.databases(), pairing(), plan.table().fingerprint());
    ledger = RangeLedger.open(parts.ledgers(), claim, plan.keyColumns(), scope, oldest(now), now);
    resumed = ledger.isResumed();
    provedSince = ledger.state().began();
    progress.resume(ledger.state(), ledger.state().sourceTo().map(this::key));
    estimatedRows = parts.access().estimatedRows(claim.table(), readDeadline(), cancel);
    progress.enter(RangeStage.WITNESS);
    exactness.begin(resumed);
    progress.enter(RangeStage.READING);
    parts.checks().record(start());
    SideReader reader =
        new SideReader(parts.time(), parts.limits(), parts.access(), progress, plan, deadline);
    targetOnly =
        new TargetOnlyRows(
            parts.time(),
            parts.limits(),
            parts.access(),
            parts.replay(),
            reader,
            progress,
            claim.range(),
            cancel);
    Walk.Parts walkParts =
        new Walk.Parts(
            claim, parts.limits(), reader, ledger, progress, targetOnly, parts.checks(), cancel);
    Walk walk = walk(walkParts);
    walked = takeOver(walk) ? walk.run() : WalkEnd.cancelled();
    targetOnly.confirm();
    if (walked.complete()) {
      targetOnly.countKeyless();
    }
    progress.enter(RangeStage.WITNESS);
    exactness.end(walked);
    progress.enter(RangeStage.READING);
    // The target may hold such a key twice; the key checks find out.
    if (!walk.submit(targetOnly.onBothSides())) {
      walked = WalkEnd.cancelled();
    }
    plan = reader.plan();
    if (walked.complete()) {
      progress.complete();
    }
  }

  private Instant oldest(Instant now) {
    return parts.restart() ? Instant.MAX : now.minus(parts.limits().ledgerAge());
  }

  private Walk walk(Walk.Parts walkParts) throws InterruptedException {
    return switch (plan.pairing()) {
      case BY_LOOKUP -> new LookupWalk(walkParts, parts.access());
      case BY_ORDER -> {
        digested =
            new DigestTrial(parts.time(), parts.access(), walkParts)
                .choose(parts.limits().digest());
        yield switch (digested) {
          case CLIENT, AUTO -> new OrderedWalk(walkParts);
          case SERVER -> new ServerWalk(walkParts, parts.access());
        };
      }
    };
  }

  /** What an earlier run left open is checked again. */
  private boolean takeOver(Walk walk) throws InterruptedException {
    return ledger.forEach("suspects", keys -> walk.submit(keys.stream().map(this::key).toList()))
        && ledger.forEach(
            "extra",
            keys -> {
              targetOnly.add(keys.stream().map(this::key).toList());
              return true;
            });
  }

  private RowKey key(List<String> texts) {
    return plan.key(texts);
  }

  private AuditEntry.RangeStart start() {
    Optional<KeyRange.Bound> from = claim.range().from();
    Optional<KeyRange.Bound> to = claim.range().to();
    return new AuditEntry.RangeStart(
        claim.table(),
        claim.origin().text(),
        from.map(bound -> key(bound.key())),
        from.map(KeyRange.Bound::inclusive).orElse(true),
        to.map(bound -> key(bound.key())),
        to.map(KeyRange.Bound::inclusive).orElse(true),
        pairing(),
        RowDigest.VERSION,
        resumed,
        plan.isNarrowed());
  }

  private String pairing() {
    return plan.pairing().name().toLowerCase(Locale.ROOT);
  }

  /**
   * Makes the result durable.
   *
   * @param decided whether the key checks decided everything
   */
  RangeResult end(boolean decided) {
    RangeResult result = result(decided);
    parts.checks().record(result.toRecord());
    if (ledger != null && nothingToContinue(decided, result.keys())) {
      ledger.delete();
      ledger = null;
    }
    return result;
  }

  private RangeResult result(boolean decided) {
    if (plan == null) {
      return RangeResult.unread(claim, unreadAs, walked.reason(), walked.detail(), took);
    }
    RangeResult.Keys keys =
        new RangeResult.Keys(progress.suspects(), parts.findings().of(claim.table()));
    WalkEnd end = openEnd(decided, keys);
    List<String> notCompared = plan.table().columnsNotCompared();
    RangeOutcome outcome =
        keys.failures() > 0 || end.reason().filter(LACKING::contains).isPresent()
            ? RangeOutcome.FAILED
            : end.complete() ? RangeOutcome.PROVED : RangeOutcome.INCOMPLETE;
    return new RangeResult(
        claim,
        outcome,
        // What was not looked at to its end is not exact either.
        Optional.of(end.complete() ? exactness.strength(keys) : Strength.LIVE),
        Optional.of(pairing()),
        Optional.of(digested.text()),
        resumed ? provedSince : Optional.empty(),
        progress.snapshot(),
        keys,
        targetOnly.found(),
        notCompared,
        end.reason(),
        detail(end),
        took);
  }

  /** What there is to say beside the figures. */
  private Optional<String> detail(WalkEnd end) {
    List<String> sentences = new ArrayList<>(end.detail().stream().toList());
    if (plan.isFiltered()) {
      sentences.add("of the source only rows that meet the publication's row filter are compared");
    }
    plan.table().heldAs().ifPresent(names -> sentences.add("the target has it as " + names));
    List<String> notPublished = plan.table().columnsNotPublished();
    if (!notPublished.isEmpty()) {
      sentences.add(
          "columns that the publication's column list leaves out are not compared: "
              + String.join(", ", notPublished));
    }
    if (targetOnly.keyless() > 0) {
      sentences.add(
          targetOnly.keyless()
              + " of the rows that only the target has have NULL in a key column ("
              + SqlIdentifier.list(plan.keyColumns())
              + "), so that no key names them");
    }
    exactness.whyNot().ifPresent(why -> sentences.add("live, not exact: " + why));
    return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", sentences));
  }

  private boolean nothingToContinue(boolean decided, RangeResult.Keys keys) {
    WalkEnd end = openEnd(decided, keys);
    return end.complete() || end.reason().filter("columns_not_compared"::equals).isPresent();
  }

  /** Why something was left open; complete if nothing was. The first reason stands for all. */
  private WalkEnd openEnd(boolean decided, RangeResult.Keys keys) {
    if (!walked.complete()) {
      return walked;
    }
    Map<String, String> open = new LinkedHashMap<>();
    if (!decided && keys.suspects() > 0) {
      open.put("undecided", "the check ended before the key checks did; a later one continues");
    }
    if (keys.incomplete() > 0) {
      open.put(
          "incomplete_keys", keys.incomplete() + " rows could not be judged; the audit says why");
    }
    if (keys.advanced() > 0) {
      open.put(
          "advanced_keys",
          keys.advanced() + " rows kept changing: they still differed when they were read last");
    }
    if (targetOnly.unknown() > 0) {
      open.put(
          "target_only_unknown",
          targetOnly.unknown()
              + " rows may be only on the target, which could not be told: "
              + targetOnly.whyUnknown().orElse(""));
    }
    if (!plan.table().columnsNotCompared().isEmpty()) {
      open.put("columns_not_compared", "not all columns have types that can be compared");
    }
    return open.isEmpty()
        ? WalkEnd.done()
        : WalkEnd.stopped(open.keySet().iterator().next(), String.join("; ", open.values()));
  }

  private Deadline readDeadline() {
    return Deadline.in(parts.time(), parts.limits().readTimeout()).earlierOf(deadline);
  }
}
