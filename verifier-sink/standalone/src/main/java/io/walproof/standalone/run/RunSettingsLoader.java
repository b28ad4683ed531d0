package io.walproof.standalone.run;

import io.walproof.connector.engine.CaptureSettings;
import io.walproof.standalone.settings.JdbcSettings;
import io.walproof.standalone.settings.RangeSettings;
import io.walproof.standalone.settings.Settings;
import io.walproof.standalone.settings.SourceKeys;
import io.walproof.standalone.settings.VerifySettings;
import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.core.VerifierLimits;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.range.DigestPlace;
import io.walproof.verifier.range.RangeLimits;
import io.walproof.verifier.replay.ConfirmationSettings;
import io.walproof.verifier.replay.ConfirmationStrategy;
import io.walproof.verifier.row.RowSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Reads a configuration file into what the parts of a run take. */
public final class RunSettingsLoader {

  /** One for the reads, one for the rechecks and the look at replay. */
  private static final int CONNECTIONS = 2;

  private static final int READ_ATTEMPTS = 3;

  private RunSettingsLoader() {}

  /**
   * Reads and checks the file, both our settings and the source's.
   *
   * @throws RuntimeException naming every problem
   */
  public static RunSettings load(Path file) {
    return run(read(file));
  }

  /**
   * Reads and checks the file for a range check.
   *
   * @throws RuntimeException naming every problem
   */
  public static RangeRunSettings loadRange(Path file) {
    Settings settings = read(file);
    RunSettings run = run(settings);
    RangeSettings range = settings.range();
    VerifySettings verify = settings.verify();
    return new RangeRunSettings(
        run.stateDirectory(),
        run.verifier(),
        new RangeLimits(
            range.chunkRows(),
            range.chunkBytes(),
            range.dutyCycle(),
            verify.readTimeout(),
            verify.replayTimeout(),
            verify.batchRows(),
            DigestPlace.parse(range.digest()),
            range.ledgerAge(),
            range.namedKeys()),
        ConnectorFilter.of(settings.connector()),
        verify.subscription(),
        run.shutdownTimeout());
  }

  private static Settings read(Path file) {
    return Settings.load(
        file, new SourceKeys(CaptureSettings::isKnownKey, CaptureSettings.knownKeys()));
  }

  private static RunSettings run(Settings settings) {
    VerifySettings verify = settings.verify();
    CaptureSettings capture = CaptureSettings.of(settings.connector());
    return new RunSettings(
        settings.stateDirectory(),
        capture,
        new VerifierSettings(
            database(Side.SOURCE, settings.sourceDatabase(), verify),
            database(Side.TARGET, settings.targetDatabase(), verify),
            new RowSettings(verify.appColumn(), Map.of(), RowSettings.defaults().fetchBytes()),
            new ConfirmationSettings(
                ConfirmationStrategy.parse(verify.confirmation()),
                verify.subscription(),
                verify.replayPoll(),
                verify.markerTable(),
                capture.slotName()),
            limits(verify),
            settings.scope()),
        verify.commitInterval(),
        verify.summaryInterval(),
        settings.shutdownTimeout());
  }

  private static VerifierLimits limits(VerifySettings verify) {
    return new VerifierLimits(
        verify.settle(),
        verify.recheckDelay(),
        verify.batchRows(),
        verify.replayTimeout(),
        verify.tableTimeout().orElse(Duration.ZERO),
        verify.readTimeout(),
        verify.pendingMax(),
        verify.ignoredApps());
  }

  private static DatabaseSettings database(
      Side side, JdbcSettings settings, VerifySettings verify) {
    return new DatabaseSettings(
        side,
        settings.url(),
        settings.user(),
        settings.password(),
        verify.connectTimeout(),
        verify.readTimeout(),
        CONNECTIONS,
        READ_ATTEMPTS);
  }
}
