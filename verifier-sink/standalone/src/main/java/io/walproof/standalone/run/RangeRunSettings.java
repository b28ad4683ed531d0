package io.walproof.standalone.run;

import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.range.RangeLimits;
import io.walproof.verifier.schedule.RestAccess;
import io.walproof.verifier.schedule.TableFilter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * What one range check needs to know.
 *
 * @param stateDirectory where ledgers and audit live
 * @param verifier the key checks of rows that differ
 * @param limits the bounds
 * @param filter which tables the connector's filters let through
 * @param claims how connectors' offsets are asked for
 * @param shutdownTimeout the bound of a stop
 * @param auditRotateBytes {@code audit.rotate.bytes}
 */
public record RangeRunSettings(
    Path stateDirectory,
    VerifierSettings verifier,
    RangeLimits limits,
    TableFilter filter,
    RestAccess claims,
    Duration shutdownTimeout,
    long auditRotateBytes) {

  /** All are required. */
  public RangeRunSettings {
    Objects.requireNonNull(stateDirectory, "stateDirectory");
    Objects.requireNonNull(verifier, "verifier");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(claims, "claims");
    Objects.requireNonNull(shutdownTimeout, "shutdownTimeout");
  }

  /** The same with another state directory. */
  public RangeRunSettings in(Path directory) {
    return new RangeRunSettings(
        directory, verifier, limits, filter, claims, shutdownTimeout, auditRotateBytes);
  }

  /** The same, looking for evidence that nobody writes meanwhile. */
  public RangeRunSettings exact() {
    return new RangeRunSettings(
        stateDirectory,
        verifier,
        limits.withExact(true),
        filter,
        claims,
        shutdownTimeout,
        auditRotateBytes);
  }
}
