package io.walproof.standalone.status;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.Coverage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a verifying process knows of itself at this moment, beyond its records.
 *
 * @param tables the counts by table, range checks' keys included
 * @param onHold mismatches that wait for their recheck
 * @param oldestOnHold how long the oldest has waited; zero if there is none
 * @param lastWait how long the last confirmation of replay took
 * @param confirmations waits that ended in a confirmation
 * @param notConfirmed waits that did not
 * @param notCompared columns that are not compared, by table
 * @param diverted diverted tables that wait for their shape to be accepted, and kept keys of theirs
 * @param durable the position that a restart resumes from
 * @param slotLagBytes WAL that the slot holds back
 */
public record LiveFigures(
    Map<TableId, Coverage> tables,
    int onHold,
    Duration oldestOnHold,
    Duration lastWait,
    long confirmations,
    long notConfirmed,
    Map<TableId, List<String>> notCompared,
    long diverted,
    Optional<String> durable,
    OptionalLong slotLagBytes) {}
