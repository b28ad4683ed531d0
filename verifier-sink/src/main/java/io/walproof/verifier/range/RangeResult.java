package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a range check found, for one table.
 *
 * @param claim what was claimed; its bounds name the range
 * @param outcome how it ended
 * @param strength what an equal digest proves here; empty if nothing was read
 * @param pairing how counterparts were found; empty if nothing was read
 * @param digest where rows were digested; empty if nothing was read
 * @param resumedFrom when the earlier run began whose proofs were taken over; empty if none was
 * @param progress what was read
 * @param keys rows that digests did not prove, by what the key checks made of them
 * @param targetOnly rows that only the target has: counted and named, not judged
 * @param columnsNotCompared columns that exist on both sides and cannot be compared
 * @param reason a short code for a table that failed, was skipped or stayed incomplete as a whole
 * @param detail a sentence for people about it
 * @param took how long the check worked on the table
 */
public record RangeResult(
    Claim claim,
    RangeOutcome outcome,
    Optional<Strength> strength,
    Optional<String> pairing,
    Optional<String> digest,
    Optional<Instant> resumedFrom,
    Progress progress,
    Keys keys,
    Names targetOnly,
    List<String> columnsNotCompared,
    Optional<String> reason,
    Optional<String> detail,
    Duration took) {

  /** Copies. */
  public RangeResult {
    Objects.requireNonNull(claim, "claim");
    Objects.requireNonNull(outcome, "outcome");
    columnsNotCompared = List.copyOf(columnsNotCompared);
  }

  /**
   * Of a table of which nothing was read.
   *
   * @param reason a short code
   * @param detail a sentence for people
   */
  public static RangeResult unread(
      Claim claim,
      RangeOutcome outcome,
      Optional<String> reason,
      Optional<String> detail,
      Duration took) {
    return new RangeResult(
        claim,
        outcome,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Progress.NONE,
        Keys.NONE,
        Names.NONE,
        List.of(),
        reason,
        detail,
        took);
  }

  /** The end, for the audit. */
  public AuditEntry.RangeEnd toRecord() {
    Map<String, Long> counts = new TreeMap<>();
    keys.byOutcome().forEach((of, names) -> counts.put(of, names.count()));
    return new AuditEntry.RangeEnd(
        Optional.of(table()),
        outcome.text(),
        strength.map(Strength::text),
        progress.rows(),
        progress.chunksEqual(),
        progress.chunksDiffering(),
        counts,
        targetOnly.count(),
        targetOnly.named(),
        progress.complete() ? Optional.empty() : progress.coveredTo(),
        detail);
  }

  /** Whether an earlier run's proofs were taken over. */
  public boolean resumed() {
    return resumedFrom.isPresent();
  }

  /** The table. */
  public TableId table() {
    return claim.table();
  }

  /**
   * How far the reads came.
   *
   * @param rows source rows that were read
   * @param bytes bytes of them on the wire
   * @param chunksEqual chunks with equal digests
   * @param chunksDiffering chunks whose rows were compared one by one
   * @param complete whether the range's end was reached on both sides
   * @param coveredTo the last source key that was covered; empty before the first chunk
   */
  public record Progress(
      long rows,
      long bytes,
      long chunksEqual,
      long chunksDiffering,
      boolean complete,
      Optional<RowKey> coveredTo) {

    /** Nothing was read. */
    public static final Progress NONE = new Progress(0, 0, 0, 0, false, Optional.empty());
  }

  /**
   * Counted keys, the first of them by name.
   *
   * @param count how many
   * @param named the first, at most as many as a setting says
   */
  public record Names(long count, List<RowKey> named) {

    /** None. */
    public static final Names NONE = new Names(0, List.of());

    /** Copies. */
    public Names {
      named = List.copyOf(named);
    }
  }

  /**
   * What the key checks made of the rows that the digests did not prove.
   *
   * @param suspects how many there were
   * @param byOutcome decisions by outcome, as in {@link
   *     io.walproof.verifier.model.Coverage#outcomes()}; rows that were equal or gone when they
   *     were read again have none
   */
  public record Keys(long suspects, Map<String, Names> byOutcome) {

    /** None. */
    public static final Keys NONE = new Keys(0, Map.of());

    /** Copies in sorted order. */
    public Keys {
      byOutcome = java.util.Collections.unmodifiableMap(new TreeMap<>(byOutcome));
    }

    /** Confirmed failures. */
    public long failures() {
      return byOutcome.entrySet().stream()
          .filter(outcome -> outcome.getKey().startsWith("unresolved"))
          .mapToLong(outcome -> outcome.getValue().count())
          .sum();
    }

    /** Rows without a judgement. */
    public long incomplete() {
      return byOutcome.getOrDefault("incomplete", Names.NONE).count();
    }

    /** Rows that moved on the target and still differed: movement is proven, correctness is not. */
    public long advanced() {
      return byOutcome.getOrDefault("advanced", Names.NONE).count();
    }
  }
}
