package io.walproof.standalone.status;

import io.walproof.contract.TableId;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.schedule.OnHold;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a verifying process knows of itself at this moment, beyond its records.
 *
 * @param tables the counts by table, range checks' keys included
 * @param onHold mismatches that wait for their recheck, range checks' included
 * @param lastWait how long the last confirmation of replay took
 * @param confirmations waits that ended in a confirmation
 * @param notConfirmed waits that did not
 * @param columns what no verdict covers of the tables whose changed keys were read
 * @param diverted diverted tables that wait for their shape to be accepted, and kept keys of theirs
 * @param durable the position that a restart resumes from
 * @param ranges how far range checks that are under way have come
 * @param rangesWaiting tables, and reasons to check, whose range check has not begun
 * @param slotLagBytes WAL that the slot holds back
 */
public record LiveFigures(
    Map<TableId, Coverage> tables,
    OnHold onHold,
    Duration lastWait,
    long confirmations,
    long notConfirmed,
    Map<TableId, ColumnsLeftOut> columns,
    long diverted,
    Optional<String> durable,
    List<RangeCheck.Status> ranges,
    int rangesWaiting,
    OptionalLong slotLagBytes) {}
