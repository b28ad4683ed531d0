package io.walproof.metrics;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * One gauge before it is registered.
 *
 * @param tags sorted by name
 * @param type {@code Long} or {@code Double}
 */
record Gauge(
    String name,
    String description,
    Map<String, String> tags,
    Supplier<? extends Number> value,
    Class<? extends Number> type) {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

  Gauge {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not a gauge's name: " + name);
    }
    if (description.isBlank()) {
      throw new IllegalArgumentException("the gauge " + name + " has no description");
    }
    Objects.requireNonNull(value, name);
    tags = new TreeMap<>(tags);
  }
}
