package io.walproof.standalone.preflight;

import io.walproof.standalone.run.RunSettings;
import io.walproof.verifier.core.VerifierLimits;
import java.util.ArrayList;
import java.util.List;

/** Limits that contradict each other. Pure. */
final class SettingsFindings {

  private final VerifierLimits limits;
  private final String heartbeat;
  private final List<Finding> findings = new ArrayList<>();

  SettingsFindings(RunSettings settings) {
    this(
        settings.verifier().limits(),
        settings.capture().debezium().getOrDefault("heartbeat.interval.ms", ""));
  }

  SettingsFindings(VerifierLimits limits, String heartbeat) {
    this.limits = limits;
    this.heartbeat = heartbeat;
  }

  List<Finding> find() {
    limits.contradictions().forEach(this::warn);
    if (heartbeat.equals("0")) {
      warn(
          "heartbeat.interval.ms=0: while the published tables are idle the slot keeps all WAL of"
              + " the others; set it to 10000");
    }
    if (findings.isEmpty()) {
      findings.add(Finding.ok(Check.SETTINGS, "no limits contradict each other"));
    }
    return findings;
  }

  private void warn(String text) {
    findings.add(Finding.warning(Check.SETTINGS, text));
  }
}
