package io.walproof.connector.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The last reading in one file of mode 0600, format 1: {@code {"v":1,"tables":{name:facts}}}. It is
 * replaced by a synced temporary file. Losing it costs no verdict: it is told, and read anew.
 */
public final class FileCatalogStore implements CatalogStore {

  private static final int VERSION = 1;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path file;

  /** A store in the file, whose folder must exist. */
  public FileCatalogStore(Path file) {
    this.file = file.toAbsolutePath();
  }

  @Override
  public Optional<Map<String, String>> read() {
    try {
      JsonNode json = MAPPER.readTree(Files.readString(file));
      if (json.path("v").asInt() != VERSION || !json.path("tables").isObject()) {
        throw new CatalogStoreException(
            "the file " + file + " is no catalog reading of format 1", null);
      }
      Map<String, String> facts = new TreeMap<>();
      json.path("tables").properties().forEach(e -> facts.put(e.getKey(), e.getValue().toString()));
      return Optional.of(facts);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new CatalogStoreException(
          "the catalog reading in " + file + " is damaged or cannot be read", e);
    }
  }

  @Override
  public void write(Map<String, String> facts) {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.deleteIfExists(temporary);
      Files.createFile(
          temporary,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      // A stream, because an interrupt (a capture being closed) would close a channel.
      try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
        out.write(format(facts).getBytes(StandardCharsets.UTF_8));
        out.getFD().sync();
      }
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new CatalogStoreException(
          "the catalog reading cannot be written to "
              + file
              + "; free space or permissions on its folder are missing",
          e);
    }
  }

  private static String format(Map<String, String> facts) throws JsonProcessingException {
    ObjectNode json = MAPPER.createObjectNode().put("v", VERSION);
    ObjectNode tables = json.putObject("tables");
    for (Map.Entry<String, String> entry : facts.entrySet()) {
      tables.set(entry.getKey(), MAPPER.readTree(entry.getValue()));
    }
    return MAPPER.writeValueAsString(json);
  }
}
