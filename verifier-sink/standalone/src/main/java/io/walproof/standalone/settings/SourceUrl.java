package io.walproof.standalone.settings;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The source's JDBC URL from Debezium's settings, with the same demands on encryption. */
final class SourceUrl {

  private static final List<String> ENCRYPTION =
      List.of("sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslfactory");

  private SourceUrl() {}

  /** The URL, if host and database are named. */
  static Optional<String> from(Map<String, String> settings) {
    String host = settings.getOrDefault("database.hostname", "").strip();
    String database = settings.getOrDefault("database.dbname", "").strip();
    if (host.isEmpty() || database.isEmpty()) {
      return Optional.empty();
    }
    boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
    StringBuilder url = new StringBuilder("jdbc:postgresql://");
    url.append(bareIpv6 ? "[" + host + "]" : host)
        .append(':')
        .append(settings.getOrDefault("database.port", "5432").strip())
        .append('/')
        .append(encoded(database));
    char separator = '?';
    for (String name : ENCRYPTION) {
      String value = settings.get("database." + name);
      if (value != null && !value.isEmpty()) {
        url.append(separator).append(name).append('=').append(encoded(value));
        separator = '&';
      }
    }
    return Optional.of(url.toString());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
