package io.walproof.standalone.preflight;

import io.walproof.contract.finding.Check;
import io.walproof.contract.finding.Finding;
import io.walproof.verifier.assembly.VerifierSettings;
import java.util.List;

/** Limits that contradict each other. Pure. */
final class SettingsFindings {

  private SettingsFindings() {}

  static List<Finding> of(VerifierSettings settings) {
    List<String> contradictions = settings.contradictions();
    return contradictions.isEmpty()
        ? List.of(Finding.ok(Check.SETTINGS, "no limits contradict each other"))
        : contradictions.stream().map(text -> Finding.warning(Check.SETTINGS, text)).toList();
  }
}
