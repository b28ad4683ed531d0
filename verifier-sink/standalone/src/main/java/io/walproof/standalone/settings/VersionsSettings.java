package io.walproof.standalone.settings;

import java.time.Duration;
import java.util.Objects;

/**
 * What is kept of the versions of pending rows.
 *
 * @param maxBytes {@code verify.versions.max.bytes}; 0 keeps none
 * @param timeout {@code verify.versions.timeout.ms}
 */
public record VersionsSettings(int maxBytes, Duration timeout) {
  /** The timeout is required. */
  public VersionsSettings {
    Objects.requireNonNull(timeout, "timeout");
  }
}
