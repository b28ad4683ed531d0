package io.walproof.standalone.settings;

import io.walproof.contract.TableId;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The verifier's settings; {@link SettingsTable} says what each means.
 *
 * @param connectTimeout {@code verify.connect.timeout.ms}
 * @param readTimeout {@code verify.read.timeout.ms}
 * @param settle {@code verify.settle.ms}
 * @param batchRows {@code verify.batch.rows}
 * @param recheckDelay {@code verify.recheck.delay.ms}
 * @param replayTimeout {@code verify.replay.timeout.ms}
 * @param tableTimeout {@code verify.table.timeout.ms}; empty for no limit
 * @param pendingMax {@code verify.pending.max}
 * @param ignoredApps {@code verify.ignore.apps}
 * @param appColumn {@code verify.app.column}
 * @param confirmation {@code verify.replay.confirmation}
 * @param subscription {@code verify.replay.subscription}
 * @param replayPoll {@code verify.replay.poll.ms}
 * @param markerTable {@code verify.marker.table}
 * @param summaryInterval {@code verify.summary.interval.ms}
 * @param commitInterval {@code verify.commit.interval.ms}
 */
public record VerifySettings(
    Duration connectTimeout,
    Duration readTimeout,
    Duration settle,
    int batchRows,
    Duration recheckDelay,
    Duration replayTimeout,
    Optional<Duration> tableTimeout,
    int pendingMax,
    SortedSet<Long> ignoredApps,
    String appColumn,
    String confirmation,
    Optional<String> subscription,
    Duration replayPoll,
    Optional<TableId> markerTable,
    Duration summaryInterval,
    Duration commitInterval) {}
