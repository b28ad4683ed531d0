package io.walproof.verifier.settings;

import java.util.Objects;
import java.util.Optional;

/**
 * One setting of ours; Debezium's are known to the connector.
 *
 * @param name the key; milliseconds end in {@code .ms}, bytes in {@code .bytes}
 * @param type what the text means
 * @param presence what holds where the key is not set
 * @param scope whether it limits what is judged, so that a run's record must show it
 * @param description one sentence for the reference
 * @param <T> the value's type
 */
public record Setting<T>(
    String name, SettingType<T> type, Presence presence, boolean scope, String description) {

  /** What holds where a key is not set. */
  public sealed interface Presence {

    /**
     * A value.
     *
     * @param text as it would stand in the file
     */
    record Default(String text) implements Presence {}

    /** Nothing: the setting is off. */
    record Absent() implements Presence {}

    /**
     * A value that follows from other settings.
     *
     * @param from which
     */
    record Derived(String from) implements Presence {}

    /**
     * The run is refused.
     *
     * @param example how the line might look
     */
    record Required(String example) implements Presence {}
  }

  /** All are required. */
  public Setting {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(presence, "presence");
    Objects.requireNonNull(description, "description");
  }

  /** A setting with a default. */
  public static <T> Setting<T> byDefault(
      String name, SettingType<T> type, String text, String description) {
    return new Setting<>(name, type, new Presence.Default(text), false, description);
  }

  /** A setting that is off where it is not set. */
  public static <T> Setting<T> unset(String name, SettingType<T> type, String description) {
    return new Setting<>(name, type, new Presence.Absent(), false, description);
  }

  /** A setting that follows from others where it is not set. */
  public static <T> Setting<T> derived(
      String name, SettingType<T> type, String from, String description) {
    return new Setting<>(name, type, new Presence.Derived(from), false, description);
  }

  /** A setting that must be set. */
  public static <T> Setting<T> required(
      String name, SettingType<T> type, String example, String description) {
    return new Setting<>(name, type, new Presence.Required(example), false, description);
  }

  /** The text that holds where the key is not set, if there is one. */
  public Optional<String> defaultText() {
    return presence instanceof Presence.Default value
        ? Optional.of(value.text())
        : Optional.empty();
  }

  /** The same setting, shown in a run's record. */
  public Setting<T> limitingScope() {
    return new Setting<>(name, type, presence, true, description);
  }
}
