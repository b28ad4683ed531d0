package io.walproof.connector.engine;

import io.walproof.connector.engine.EngineDefaults.Fixed;
import java.util.List;
import java.util.Optional;

/** What can be said of the source's settings without their values; for those who show them. */
public final class SettingCatalog {

  private SettingCatalog() {}

  /**
   * One setting of ours.
   *
   * @param key the setting
   * @param fallback its default
   * @param choice the values that it may have, empty if that is no short list
   * @param accepted what it may be, for people
   * @param text what it does
   */
  public record Described(
      String key, String fallback, List<String> choice, String accepted, String text) {

    static Described choice(String key, String fallback, List<String> words, String text) {
      return new Described(key, fallback, words, "one of " + String.join(", ", words), text);
    }
  }

  /** The settings {@code drift.*}. */
  public static List<Described> drift() {
    return DriftSettings.DESCRIBED;
  }

  /** Whether there is no default. */
  public static boolean isRequired(String key) {
    return EngineDefaults.REQUIRED.contains(key);
  }

  /** Our default for a setting of Debezium's, empty where its own is kept. */
  public static Optional<String> fallback(String key) {
    Fixed fixed = EngineDefaults.FIXED.get(key);
    return fixed != null
        ? Optional.of(fixed.value())
        : Optional.ofNullable(EngineDefaults.DEFAULTS.get(key));
  }

  /** Why a setting of Debezium's may not be changed, empty if it may. */
  public static Optional<String> whyFixed(String key) {
    return Optional.ofNullable(EngineDefaults.FIXED.get(key))
        .map(
            fixed ->
                EngineDefaults.fixed(Feed.ROWS).containsKey(key)
                    ? fixed.why()
                    : fixed.why() + " (free where rows are handed on)");
  }

  /** The values that a setting of Debezium's may have here, empty where that is for Debezium. */
  public static List<String> choice(String key) {
    return EngineDefaults.choice(key);
  }
}
