package io.walproof.system;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The connector configurations that the compose file deploys. */
final class ConfigFile {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ConfigFile() {}

  /** The file {@code config/<name>.json}. */
  static Map<String, String> read(String name) {
    Path file = Delivered.ROOT.resolve("config/" + name + ".json");
    try {
      return JSON.readValue(file.toFile(), new TypeReference<TreeMap<String, String>>() {});
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /**
   * The same with other hosts and ports, and nothing else changed.
   *
   * @param addresses the address here of each service's {@code host:port}
   */
  static Map<String, String> read(String name, Map<String, String> addresses) {
    Map<String, String> config = read(name);
    addresses.forEach(
        (service, address) -> {
          config.replaceAll((key, value) -> value.replace(service, address));
          String host = config.get("database.hostname");
          if (host != null && service.equals(host + ":" + config.get("database.port"))) {
            int colon = address.lastIndexOf(':');
            config.put("database.hostname", address.substring(0, colon));
            config.put("database.port", address.substring(colon + 1));
          }
        });
    return config;
  }
}
