package io.walproof.standalone.settings;

import java.util.List;

/** The settings cannot be used. Lists everything that is wrong at once, never a value. */
public final class SettingsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  SettingsException(String file, List<String> problems) {
    super("The settings in " + file + " cannot be used:\n  " + String.join("\n  ", problems));
    this.problems = List.copyOf(problems);
  }

  /** One sentence each, with line or key and the remedy. */
  public List<String> problems() {
    return problems;
  }
}
