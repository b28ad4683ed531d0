package io.walproof.verifier.settings;

import java.util.Objects;

/**
 * How rows of one side are reached.
 *
 * @param url the JDBC URL; its parameters may hold secrets
 * @param user the role; empty if the URL names it
 * @param password the password; empty if none is needed
 */
public record JdbcSettings(String url, String user, String password) {

  /** All are required. */
  public JdbcSettings {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
  }

  /** Nothing of it: the URL may hold a password too. */
  @Override
  public String toString() {
    return "JdbcSettings";
  }
}
