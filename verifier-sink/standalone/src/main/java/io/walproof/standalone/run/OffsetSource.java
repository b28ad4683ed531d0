package io.walproof.standalone.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.connector.offset.PositionFile;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.range.RangeException;
import io.walproof.verifier.schedule.RestAccess;
import io.walproof.verifier.schedule.RestOffsets;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Fetches a connector's offset from where it is kept: Connect's REST ({@code
 * http://host:8083/connectors/NAME}), an offset file of Connect or of a Debezium engine, a JSON
 * file in the form of the REST answer, or the offsets file of a run.
 */
public final class OffsetSource {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MOST_BYTES = 16 << 20;
  private static final int MOST_ENTRIES = 100_000;
  private static final int SERIALISED = 0xAC;

  private OffsetSource() {}

  /**
   * Fetches it.
   *
   * @param location a URL or a file
   * @param connector which connector's, where a file holds several
   * @param access how it is asked for, where it is a URL
   * @throws RangeException naming the place and the way out
   */
  public static Map<String, Object> read(
      String location, Optional<String> connector, RestAccess access) throws InterruptedException {
    return location.startsWith("http://") || location.startsWith("https://")
        ? fromRest(location, access)
        : fromFile(Path.of(location), connector);
  }

  private static Map<String, Object> fromRest(String location, RestAccess access)
      throws InterruptedException {
    URI connector;
    try {
      connector = URI.create(location);
    } catch (IllegalArgumentException e) {
      throw new RangeException("--claim-offsets is no valid URL", e);
    }
    return access.of(connector).read(new Cancellation());
  }

  private static Map<String, Object> fromFile(Path file, Optional<String> connector) {
    try {
      if (!Files.isRegularFile(file)) {
        throw new RangeException("there is no offset file " + file);
      }
      if (Files.size(file) > MOST_BYTES) {
        throw new RangeException("the offset file " + file + " is longer than offsets can be");
      }
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > 0 && (bytes[0] & 0xFF) == SERIALISED) {
        return serialised(file, bytes, connector);
      }
      if (new String(bytes, StandardCharsets.UTF_8).startsWith("{")) {
        return RestOffsets.one(file.toString(), json(file.toString(), bytes));
      }
      return new TreeMap<>(PositionFile.read(file).orElseThrow().entries());
    } catch (IOException e) {
      throw new RangeException("the offset file " + file + " cannot be read (" + e + ")", e);
    }
  }

  private static JsonNode json(String where, byte[] bytes) {
    try {
      return JSON.readTree(bytes);
    } catch (IOException e) {
      throw new RangeException(where + " holds no JSON", e);
    }
  }

  private static Map<String, Object> serialised(
      Path file, byte[] bytes, Optional<String> connector) {
    Map<String, Map<String, Object>> found = new TreeMap<>();
    try (ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      input.setObjectInputFilter(OffsetSource::filter);
      if (!(input.readObject() instanceof Map<?, ?> map)) {
        throw new RangeException("the offset file " + file + " holds no offsets");
      }
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        if (entry.getKey() instanceof byte[] key && entry.getValue() instanceof byte[] value) {
          found.put(JSON.readTree(key).path(0).asText(), RestOffsets.entries(JSON.readTree(value)));
        }
      }
    } catch (JsonProcessingException e) {
      throw new RangeException("the offset file " + file + " holds offsets that are no JSON", e);
    } catch (IOException | ClassNotFoundException e) {
      throw new RangeException(
          "the offset file "
              + file
              + " is no file of Connect's offsets, or holds a class that is not let in ("
              + e.getClass().getSimpleName()
              + ")",
          e);
    }
    if (connector.isPresent()) {
      return Optional.ofNullable(found.get(connector.get()))
          .orElseThrow(
              () ->
                  new RangeException(
                      "the offset file "
                          + file
                          + " holds no such connector; it holds "
                          + found.keySet()));
    }
    if (found.size() != 1) {
      throw new RangeException(
          "the offset file "
              + file
              + (found.isEmpty()
                  ? " holds no offset yet"
                  : " holds several connectors' offsets; pick one of "
                      + found.keySet()
                      + " with --claim-connector"));
    }
    return found.values().iterator().next();
  }

  /** A map of byte arrays, and nothing else. */
  private static ObjectInputFilter.Status filter(ObjectInputFilter.FilterInfo info) {
    Class<?> type = info.serialClass();
    if (info.depth() > 2 || info.references() > MOST_ENTRIES || info.arrayLength() > MOST_BYTES) {
      return ObjectInputFilter.Status.REJECTED;
    }
    if (type == null) {
      return ObjectInputFilter.Status.UNDECIDED;
    }
    return type == java.util.HashMap.class || type == byte[].class || type == Map.Entry[].class
        ? ObjectInputFilter.Status.ALLOWED
        : ObjectInputFilter.Status.REJECTED;
  }
}
