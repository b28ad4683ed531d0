package io.walproof.verifier.schedule;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * How connectors' offsets are asked for.
 *
 * @param place the address that user and password are for; empty if there are none
 * @param user for basic authentication
 * @param password its password
 * @param timeout the longest that one request may take
 */
public record RestAccess(
    Optional<URI> place, Optional<String> user, Optional<String> password, Duration timeout) {

  /** All are required. */
  public RestAccess {
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
    Objects.requireNonNull(timeout, "timeout");
  }

  /** A connector's offsets; user and password go to no other server than the one they are for. */
  public RestOffsets of(URI connector) {
    boolean sameServer = place.filter(known -> server(known).equals(server(connector))).isPresent();
    return new RestOffsets(
        connector,
        sameServer ? user : Optional.empty(),
        sameServer ? password : Optional.empty(),
        timeout);
  }

  private static String server(URI address) {
    return (address.getScheme() + "://" + address.getHost() + ':' + address.getPort())
        .toLowerCase(Locale.ROOT);
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "RestAccess[" + place.map(URI::getHost).orElse("") + "]";
  }
}
