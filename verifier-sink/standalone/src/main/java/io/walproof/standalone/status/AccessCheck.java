package io.walproof.standalone.status;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.walproof.standalone.settings.StatusListen;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Who may see the page. With a token: whoever shows it, as a bearer token or as the password of
 * HTTP's basic authentication, which browsers ask for. Without one, on loopback: requests that name
 * a loopback host, so that a page from elsewhere whose name was made to lead here gets nothing.
 */
final class AccessCheck {

  private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final String BASIC = "basic ";
  private static final String BEARER = "bearer ";

  private final Optional<byte[]> token;
  private final String host;

  AccessCheck(StatusListen listen) {
    this.token = listen.token().map(text -> text.getBytes(StandardCharsets.UTF_8));
    this.host = listen.host();
  }

  /** The status to refuse with, empty if the request may pass. */
  Optional<Integer> refusal(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    if (token.isPresent()) {
      return shows(headers.getFirst("Authorization")) ? Optional.empty() : Optional.of(401);
    }
    return isLoopback(headers.getFirst("Host")) ? Optional.empty() : Optional.of(403);
  }

  private boolean isLoopback(String hostHeader) {
    if (hostHeader == null) {
      return false;
    }
    String name = hostHeader.replaceFirst(":[0-9]+$", "").toLowerCase(Locale.ROOT);
    return LOOPBACK_NAMES.contains(name) || name.equals(host.toLowerCase(Locale.ROOT));
  }

  private boolean shows(String authorization) {
    if (authorization == null) {
      return false;
    }
    String scheme = authorization.toLowerCase(Locale.ROOT);
    byte[] shown;
    if (scheme.startsWith(BEARER)) {
      shown = authorization.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8);
    } else if (scheme.startsWith(BASIC)) {
      shown = password(authorization.substring(BASIC.length()).strip());
    } else {
      return false;
    }
    // Takes the same time wherever they differ.
    return MessageDigest.isEqual(shown, token.orElseThrow());
  }

  private static byte[] password(String credentials) {
    try {
      String pair = new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
      return pair.substring(pair.indexOf(':') + 1).getBytes(StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }
}
