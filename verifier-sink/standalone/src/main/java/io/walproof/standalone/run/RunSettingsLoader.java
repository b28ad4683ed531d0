package io.walproof.standalone.run;

import io.walproof.connector.engine.CaptureSettings;
import io.walproof.standalone.settings.Settings;
import io.walproof.standalone.settings.SourceKeys;
import io.walproof.verifier.schedule.TableFilter;
import io.walproof.verifier.settings.VerifySettings;
import java.nio.file.Path;
import java.util.Optional;

/** Reads a configuration file into what the parts of a run take. */
public final class RunSettingsLoader {

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
    return new RangeRunSettings(
        run.stateDirectory(),
        run.verifier(),
        settings.range(),
        TableFilter.of(settings.connector()),
        settings.claims(),
        run.shutdownTimeout(),
        run.auditRotateBytes());
  }

  private static Settings read(Path file) {
    return Settings.load(
        file, new SourceKeys(CaptureSettings::isKnownKey, CaptureSettings.knownKeys()));
  }

  private static RunSettings run(Settings settings) {
    VerifySettings verify = settings.verify();
    CaptureSettings source = CaptureSettings.of(settings.connector());
    CaptureSettings capture = settings.versions().maxBytes() > 0 ? source.keepingRows() : source;
    return new RunSettings(
        settings.stateDirectory(),
        capture,
        verify.verifier(
            settings.sourceDatabase(),
            settings.targetDatabase(),
            capture.slotName(),
            Optional.empty(),
            settings.scope()),
        verify.commitInterval(),
        verify.summaryInterval(),
        settings.shutdownTimeout(),
        settings.auditRotateBytes(),
        new RangeDuty(settings.schedule(), settings.range(), TableFilter.of(settings.connector())),
        settings.status(),
        settings.statusLimits(),
        settings.divertedMax(),
        settings.versions());
  }
}
