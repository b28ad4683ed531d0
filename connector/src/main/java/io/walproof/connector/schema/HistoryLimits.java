package io.walproof.connector.schema;

/**
 * How much history a position may carry.
 *
 * @param maxVersions versions per table ({@code drift.history.versions.max})
 * @param maxBytes the whole JSON string in UTF-8 ({@code drift.history.max.bytes})
 */
public record HistoryLimits(int maxVersions, int maxBytes) {
  /** Refuses limits that could not hold the newest hash. */
  public HistoryLimits {
    if (maxVersions < 1 || maxBytes < 1024) {
      throw new IllegalArgumentException("a history keeps at least one version and 1024 bytes");
    }
  }
}
