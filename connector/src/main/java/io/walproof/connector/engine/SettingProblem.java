package io.walproof.connector.engine;

import java.util.Objects;

/**
 * What is wrong with one setting.
 *
 * @param key the setting
 * @param text a clause that begins with the quoted key; never holds the value, which may be secret
 */
public record SettingProblem(String key, String text) {

  /** Refuses missing parts. */
  public SettingProblem {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(text, "text");
  }

  /** A problem whose text is the quoted key and what follows. */
  public static SettingProblem of(String key, String rest) {
    return new SettingProblem(key, "'" + key + "' " + rest);
  }
}
