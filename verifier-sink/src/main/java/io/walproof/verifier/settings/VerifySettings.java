package io.walproof.verifier.settings;

import io.walproof.contract.TableId;
import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.core.VerifierLimits;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.range.RouteNames;
import io.walproof.verifier.replay.ConfirmationSettings;
import io.walproof.verifier.replay.ConfirmationStrategy;
import io.walproof.verifier.replay.KafkaSinkSettings;
import io.walproof.verifier.row.ColumnSettings;
import io.walproof.verifier.row.RowSettings;
import io.walproof.verifier.row.TargetNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The verifier's settings; {@link SettingsTable} says what each means.
 *
 * @param connectTimeout {@code verify.connect.timeout.ms}
 * @param readTimeout {@code verify.read.timeout.ms}
 * @param settle {@code verify.settle.ms}
 * @param batchRows {@code verify.batch.rows}
 * @param rowMaxBytes {@code verify.row.max.bytes}
 * @param recheckDelay {@code verify.recheck.delay.ms}
 * @param replayTimeout {@code verify.replay.timeout.ms}
 * @param tableTimeout {@code verify.table.timeout.ms}; empty for no limit
 * @param pendingMax {@code verify.pending.max}
 * @param ignoredApps {@code verify.ignore.apps}
 * @param appColumn {@code verify.app.column}
 * @param columns {@code verify.columns.exclude} and {@code verify.column.rules}
 * @param names {@code verify.schema.mapping}, {@code verify.table.mapping} and {@code
 *     verify.column.mapping}
 * @param confirmation {@code verify.replay.confirmation}
 * @param subscription {@code verify.replay.subscription}
 * @param publications {@code verify.pipeline.publication}
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
    int rowMaxBytes,
    Duration recheckDelay,
    Duration replayTimeout,
    Optional<Duration> tableTimeout,
    int pendingMax,
    SortedSet<Long> ignoredApps,
    String appColumn,
    ColumnSettings columns,
    TargetNames names,
    String confirmation,
    Optional<String> subscription,
    List<String> publications,
    Duration replayPoll,
    Optional<TableId> markerTable,
    Duration summaryInterval,
    Duration commitInterval) {

  /** One for the reads, one for the rechecks and the look at replay. */
  private static final int CONNECTIONS = 2;

  private static final int READ_ATTEMPTS = 3;

  /**
   * What the verifier takes.
   *
   * @param source how source rows are read
   * @param target how target rows are read
   * @param instance names this run among others that share a marker table
   * @param kafka the pipeline that {@code kafka_sink} looks at
   * @param scope settings that limit what is judged, by key; no secrets
   */
  public VerifierSettings verifier(
      JdbcSettings source,
      JdbcSettings target,
      String instance,
      Optional<KafkaSinkSettings> kafka,
      Map<String, String> scope) {
    return new VerifierSettings(
        database(Side.SOURCE, source),
        database(Side.TARGET, target),
        new RowSettings(appColumn, Map.of(), RowSettings.defaults().fetchBytes(), columns)
            .withRowMaxBytes(rowMaxBytes)
            .withNames(names),
        new ConfirmationSettings(
            ConfirmationStrategy.parse(confirmation),
            subscription,
            replayPoll,
            markerTable,
            instance,
            kafka,
            names),
        limits(),
        new RouteNames(subscription, publications),
        scope);
  }

  /** How one side is reached. */
  public DatabaseSettings database(Side side, JdbcSettings jdbc) {
    return new DatabaseSettings(
        side,
        jdbc.url(),
        jdbc.user(),
        jdbc.password(),
        connectTimeout,
        readTimeout,
        CONNECTIONS,
        READ_ATTEMPTS);
  }

  private VerifierLimits limits() {
    return new VerifierLimits(
        settle,
        recheckDelay,
        batchRows,
        replayTimeout,
        tableTimeout.orElse(Duration.ZERO),
        readTimeout,
        pendingMax,
        ignoredApps);
  }
}
