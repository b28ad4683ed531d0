package io.walproof.standalone.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditRecord;
import java.time.Instant;
import java.util.Optional;

/**
 * A table's latest range check.
 *
 * @param table the table
 * @param runId by which run
 * @param startedAt when it began
 * @param origin who asked
 * @param from the first key of the claim, empty for the table's first row
 * @param to the last key, empty for the table's last row
 * @param resumed whether an earlier run's proofs were taken over
 * @param endedAt when it ended; empty while it runs
 * @param outcome how; {@code running} before its end
 * @param strength {@code live} or {@code exact}
 * @param rows source rows read
 * @param chunksEqual chunks that were equal
 * @param chunksDiffering chunks whose rows were compared
 * @param targetOnly rows that only the target has
 * @param coveredTo the last key covered, where the end was not reached
 * @param detail a sentence
 */
public record RangeView(
    TableId table,
    String runId,
    Instant startedAt,
    String origin,
    Optional<RowKey> from,
    Optional<RowKey> to,
    boolean resumed,
    Optional<Instant> endedAt,
    String outcome,
    Optional<String> strength,
    long rows,
    long chunksEqual,
    long chunksDiffering,
    long targetOnly,
    Optional<RowKey> coveredTo,
    Optional<String> detail) {

  static final String RUNNING = "running";

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
        Optional.empty(),
        RUNNING,
        Optional.empty(),
        0,
        0,
        0,
        0,
        Optional.empty(),
        Optional.empty());
  }

  /** The same at its end. */
  RangeView ended(AuditRecord end) {
    JsonNode json = end.json();
    return new RangeView(
        table,
        runId,
        startedAt,
        origin,
        from,
        to,
        resumed,
        Optional.of(end.at()),
        json.path("outcome").asText(),
        Optional.ofNullable(json.path("strength").textValue()),
        json.path("rows").asLong(),
        json.path("chunks_equal").asLong(),
        json.path("chunks_differing").asLong(),
        json.path("target_only").asLong(),
        end.keyIn("covered_to"),
        Optional.ofNullable(json.path("detail").textValue()));
  }

  /** Whether it proved every row of the table by reads of its own. */
  boolean provesTable() {
    return outcome.equals("proved") && from.isEmpty() && to.isEmpty() && !resumed;
  }

  /** Without the keys' values. */
  @Override
  public String toString() {
    return "RangeView[" + table + " " + outcome + "]";
  }
}
