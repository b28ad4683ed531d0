package io.walproof.standalone.settings;

import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The connector's settings, Debezium's and its own, which the command hands on unread.
 *
 * @param accepts whether the connector knows a key
 * @param names keys to suggest for a misspelt one; may be fewer than are accepted
 */
public record SourceKeys(Predicate<String> accepts, Set<String> names) {

  /** Copies. */
  public SourceKeys {
    Objects.requireNonNull(accepts, "accepts");
    names = Set.copyOf(names);
  }
}
