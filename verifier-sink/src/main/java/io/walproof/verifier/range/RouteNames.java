package io.walproof.verifier.range;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What says which tables, columns and rows the pipeline carries.
 *
 * @param subscription the one subscription of the target that counts; all of them if empty
 * @param publications the publications that the pipeline reads, whatever the target subscribes to;
 *     empty if the subscriptions tell
 */
public record RouteNames(Optional<String> subscription, List<String> publications) {

  /** What the target's subscriptions say. */
  public static final RouteNames SUBSCRIPTIONS = new RouteNames(Optional.empty(), List.of());

  /** Copies. */
  public RouteNames {
    Objects.requireNonNull(subscription, "subscription");
    publications = List.copyOf(publications);
  }
}
