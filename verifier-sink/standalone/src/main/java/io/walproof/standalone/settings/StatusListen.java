package io.walproof.standalone.settings;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Where the status page is served.
 *
 * @param host the host
 * @param port the port; 0 takes a free one
 * @param token what a client must send; empty on loopback, where none is needed
 */
public record StatusListen(String host, int port, Optional<String> token) {

  /** How long a token must be, so that it cannot be guessed. */
  public static final int TOKEN_LEAST = 16;

  private static final int PORT_MOST = 65_535;

  /**
   * Reads {@code host:port}.
   *
   * @throws IllegalArgumentException if the address is none, or one that others can reach has no
   *     token, or the token is too short; without the token
   */
  public static StatusListen of(String address, Optional<String> token) {
    int colon = address.lastIndexOf(':');
    String host = colon < 0 ? "" : address.substring(0, colon);
    String port = address.substring(colon + 1);
    if (host.isEmpty() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > PORT_MOST) {
      throw new IllegalArgumentException("must be host:port, such as 127.0.0.1:9187");
    }
    if (token.filter(text -> text.length() < TOKEN_LEAST).isPresent()) {
      throw new IllegalArgumentException(
          "has a token (status.token) of fewer than " + TOKEN_LEAST + " characters");
    }
    StatusListen listen =
        new StatusListen(
            host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host,
            Integer.parseInt(port),
            token);
    if (token.isEmpty() && !listen.isLoopback()) {
      throw new IllegalArgumentException(
          "is not a loopback address, so whoever may see the page must show a token: set"
              + " status.token to "
              + TOKEN_LEAST
              + " characters or more, or listen on 127.0.0.1");
    }
    return listen;
  }

  /** Whether only this machine reaches it. A name that means nothing here is not. */
  public boolean isLoopback() {
    try {
      for (InetAddress each : InetAddress.getAllByName(host)) {
        if (!each.isLoopbackAddress()) {
          return false;
        }
      }
      return true;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** For binding. */
  public InetSocketAddress socket() {
    return new InetSocketAddress(host, port);
  }

  /**
   * The page's address.
   *
   * @param actual the port, which the system may have chosen
   */
  public String url(int actual) {
    return "http://" + address(actual) + "/";
  }

  private String address(int actual) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + actual;
  }

  /** Without the token. */
  @Override
  public String toString() {
    return address(port);
  }
}
