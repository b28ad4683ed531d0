package io.walproof.verifier.assembly;

import io.walproof.verifier.core.VerifierLimits;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.range.RouteNames;
import io.walproof.verifier.replay.ConfirmationSettings;
import io.walproof.verifier.row.RowSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Everything a verifier needs to know.
 *
 * @param source how the source is reached
 * @param target how the target is reached
 * @param rows what is compared
 * @param confirmation how replay is confirmed
 * @param limits the bounds
 * @param route what says which tables, columns and rows the pipeline carries
 * @param scope settings that limit what is judged, by configuration key, for the record; no secrets
 */
public record VerifierSettings(
    DatabaseSettings source,
    DatabaseSettings target,
    RowSettings rows,
    ConfirmationSettings confirmation,
    VerifierLimits limits,
    RouteNames route,
    Map<String, String> scope) {

  /** All are required; copies. */
  public VerifierSettings {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(rows, "rows");
    Objects.requireNonNull(confirmation, "confirmation");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(route, "route");
    scope = Map.copyOf(scope);
  }

  /** Which settings contradict each other: a sentence for each, with the way out. */
  public List<String> contradictions() {
    List<String> found = new ArrayList<>(limits.contradictions());
    confirmation
        .kafka()
        .flatMap(kafka -> kafka.contradiction(limits.replayTimeout()))
        .ifPresent(found::add);
    return found;
  }

  /** The same, comparing other columns or rows. */
  public VerifierSettings comparing(RowSettings others) {
    return new VerifierSettings(source, target, others, confirmation, limits, route, scope);
  }

  /** The same, confirming replay at the same time as the ones that these are of. */
  VerifierSettings beside(String name) {
    return new VerifierSettings(
        source, target, rows, confirmation.beside(name), limits, route, scope);
  }
}
