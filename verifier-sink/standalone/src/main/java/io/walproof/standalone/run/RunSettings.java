package io.walproof.standalone.run;

import io.walproof.connector.engine.CaptureSettings;
import io.walproof.standalone.settings.StatusLimits;
import io.walproof.standalone.settings.StatusListen;
import io.walproof.standalone.settings.VersionsSettings;
import io.walproof.verifier.assembly.VerifierSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What one run needs to know.
 *
 * @param stateDirectory where offsets and audit live
 * @param capture the source side
 * @param verifier the verifier
 * @param commitInterval how often the offset is written
 * @param summaryInterval how often a summary is written to the audit
 * @param shutdownTimeout the bound of a stop
 * @param auditRotateBytes {@code audit.rotate.bytes}
 * @param ranges the range checks that it does by itself
 * @param status where the status page is served, if it is
 * @param statusLimits the bounds of the status page's lists
 * @param divertedMax how many keys of diverted tables are kept
 * @param versions what is kept of rows that keep changing
 */
public record RunSettings(
    Path stateDirectory,
    CaptureSettings capture,
    VerifierSettings verifier,
    Duration commitInterval,
    Duration summaryInterval,
    Duration shutdownTimeout,
    long auditRotateBytes,
    RangeDuty ranges,
    Optional<StatusListen> status,
    StatusLimits statusLimits,
    int divertedMax,
    VersionsSettings versions) {

  /** All are required. */
  public RunSettings {
    Objects.requireNonNull(stateDirectory, "stateDirectory");
    Objects.requireNonNull(capture, "capture");
    Objects.requireNonNull(verifier, "verifier");
    Objects.requireNonNull(commitInterval, "commitInterval");
    Objects.requireNonNull(summaryInterval, "summaryInterval");
    Objects.requireNonNull(shutdownTimeout, "shutdownTimeout");
    Objects.requireNonNull(ranges, "ranges");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(statusLimits, "statusLimits");
    Objects.requireNonNull(versions, "versions");
  }

  /** The same, going on behind a gap between the stored position and the slot. */
  public RunSettings acceptingGap() {
    return with(capture.acceptGap());
  }

  /**
   * The same, with shapes of diverted tables accepted.
   *
   * @param shapes as {@code drift.accept} has them
   * @throws IllegalArgumentException if the text is anything else
   */
  public RunSettings accepting(String shapes) {
    return with(capture.accept(shapes));
  }

  private RunSettings with(CaptureSettings other) {
    return new RunSettings(
        stateDirectory,
        other,
        verifier,
        commitInterval,
        summaryInterval,
        shutdownTimeout,
        auditRotateBytes,
        ranges,
        status,
        statusLimits,
        divertedMax,
        versions);
  }
}
