package io.walproof.standalone.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.RangeStage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A table's range check.
 *
 * @param table the table
 * @param runId by which run
 * @param startedAt when it began
 * @param origin who asked
 * @param from the first key of the claim, empty for the table's first row
 * @param to the last key, empty for the table's last row
 * @param resumed whether an earlier run's proofs were taken over
 * @param whole whether it is known to have left out no row and no column of its range
 * @param read whether its beginning is known; without one the bounds are unknown too
 * @param endedAt when it ended; empty while it runs
 * @param outcome how; {@code running} before its end
 * @param found what it has found, so far or at its end; empty while nobody here knows
 */
public record RangeView(
    TableId table,
    String runId,
    Instant startedAt,
    String origin,
    Optional<RowKey> from,
    Optional<RowKey> to,
    boolean resumed,
    boolean whole,
    boolean read,
    Optional<Instant> endedAt,
    String outcome,
    Optional<Found> found) {

  static final String RUNNING = "running";
  static final String CUT_OFF = "cut off";

  private static final String PROVED = "proved";
  private static final String FAILED = "failed";

  /**
   * What a check has found.
   *
   * @param strength {@code live} or {@code exact}; empty before the end
   * @param rows source rows read
   * @param ofAbout about how many there are; empty at the end, and where nobody knows
   * @param chunksEqual chunks that were equal
   * @param chunksDiffering chunks whose rows were compared
   * @param targetOnly rows that only the target has
   * @param coveredTo the last key covered, where the end was not reached
   * @param detail a sentence
   * @param stage what it is at, or waits for; empty at the end
   */
  public record Found(
      Optional<String> strength,
      long rows,
      OptionalLong ofAbout,
      long chunksEqual,
      long chunksDiffering,
      long targetOnly,
      Optional<RowKey> coveredTo,
      Optional<String> detail,
      Optional<RangeStage> stage) {

    private static Found at(AuditRecord end) {
      JsonNode json = end.json();
      return new Found(
          Optional.ofNullable(json.path("strength").textValue()),
          json.path("rows").asLong(),
          OptionalLong.empty(),
          json.path("chunks_equal").asLong(),
          json.path("chunks_differing").asLong(),
          json.path("target_only").asLong(),
          end.keyIn("covered_to"),
          Optional.ofNullable(json.path("detail").textValue()),
          Optional.empty());
    }

    private static Found soFar(RangeCheck.Status status) {
      RangeResult.Progress progress = status.progress();
      return new Found(
          Optional.empty(),
          progress.rows(),
          status.estimatedRows() < 0
              ? OptionalLong.empty()
              : OptionalLong.of(status.estimatedRows()),
          progress.chunksEqual(),
          progress.chunksDiffering(),
          0,
          progress.coveredTo(),
          Optional.empty(),
          Optional.of(status.stage()));
    }

    /** Without the keys' values. */
    @Override
    public String toString() {
      return "Found[" + rows + " rows]";
    }
  }

  /** A check that has begun. */
  static RangeView begun(AuditRecord start) {
    return new RangeView(
        start.table().orElseThrow(),
        start.runId(),
        start.at(),
        start.json().path("origin").asText(),
        start.keyIn("from"),
        start.keyIn("to"),
        start.json().path("resumed").asBoolean(),
        start.json().path("narrowed").isBoolean() && !start.json().path("narrowed").booleanValue(),
        true,
        Optional.empty(),
        RUNNING,
        Optional.empty());
  }

  /** One that ended before it could read anything: its end is all that there is. */
  static RangeView unread(AuditRecord end) {
    return new RangeView(
            end.table().orElseThrow(),
            end.runId(),
            end.at(),
            "",
            Optional.empty(),
            Optional.empty(),
            false,
            false,
            false,
            Optional.empty(),
            RUNNING,
            Optional.empty())
        .ended(end);
  }

  /** The same where nobody will end it any more. */
  RangeView cutOff() {
    return with(endedAt, CUT_OFF, found);
  }

  /** The same at its end. */
  RangeView ended(AuditRecord end) {
    return with(
        Optional.of(end.at()), end.json().path("outcome").asText(), Optional.of(Found.at(end)));
  }

  /** The same with what its process says of it, if it is one of these. */
  RangeView progressed(List<RangeCheck.Status> underWay) {
    return outcome.equals(RUNNING)
        ? underWay.stream()
            .filter(status -> status.table().equals(table))
            .findFirst()
            .map(status -> with(endedAt, outcome, Optional.of(Found.soFar(status))))
            .orElse(this)
        : this;
  }

  private RangeView with(Optional<Instant> end, String how, Optional<Found> what) {
    return new RangeView(
        table, runId, startedAt, origin, from, to, resumed, whole, read, end, how, what);
  }

  /** Rows that only the target has, as far as it is known. */
  long targetOnly() {
    return found.map(Found::targetOnly).orElse(0L);
  }

  /** Whether it proved every row and column of the table by reads of its own. */
  boolean provesTable() {
    return outcome.equals(PROVED) && isOfTable() && read && whole && !resumed;
  }

  /** What it says of the range; rows that only the target has are not judged. */
  Health health() {
    return switch (outcome) {
      case PROVED -> targetOnly() > 0 ? Health.INCOMPLETE : Health.CLEAN;
      case FAILED -> Health.FAILING;
      case RUNNING -> Health.PENDING;
      default -> Health.INCOMPLETE;
    };
  }

  /** Whether it is known to have reached the end of its range on both sides. */
  boolean isComplete() {
    return outcome.equals(PROVED);
  }

  private boolean isOfTable() {
    return from.isEmpty() && to.isEmpty();
  }

  /** Whether its range contains the other's, as far as that can be told without the key's order. */
  boolean covers(RangeView other) {
    return table.equals(other.table)
        && (isOfTable() || (from.equals(other.from) && to.equals(other.to)));
  }

  /** Whether the other's outcome is worth nothing any more now that this one has ended. */
  boolean settles(RangeView other) {
    if (!covers(other) || (!read && outcome.equals(PROVED))) {
      return false;
    }
    return switch (other.health()) {
      case FAILING -> outcome.equals(FAILED) || (outcome.equals(PROVED) && !resumed);
      case INCOMPLETE, PENDING, CLEAN, NO_EVIDENCE -> true;
    };
  }

  /** Without the keys' values. */
  @Override
  public String toString() {
    return "RangeView[" + table + " " + outcome + "]";
  }
}
