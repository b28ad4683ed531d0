package io.walproof.standalone.timeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;

/**
 * Reads drift events from lines of JSON: an audit file, or what a console consumer prints of the
 * drift topic, with or without the key and a tab ahead of each value. Other records are passed
 * over; lines that are no JSON are counted.
 */
public final class DriftReader {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final Lines lines;
  private long malformed;

  /** Where lines come from. */
  @FunctionalInterface
  public interface Lines {
    /** The next line, null at the end. */
    String readLine() throws IOException;
  }

  /** Reads from the lines; the caller closes what they come from. */
  public DriftReader(Lines lines) {
    this.lines = lines;
  }

  /** The next event, empty at the end. */
  public Optional<DriftEntry> next() throws IOException {
    String line = lines.readLine();
    while (line != null) {
      Optional<DriftEntry> entry = parse(line.substring(line.lastIndexOf('\t') + 1).strip());
      if (entry.isPresent()) {
        return entry;
      }
      line = lines.readLine();
    }
    return Optional.empty();
  }

  /** Lines so far that were no JSON; the last line of an audit in use may be one. */
  public long malformed() {
    return malformed;
  }

  private Optional<DriftEntry> parse(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      JsonNode json = MAPPER.readTree(text);
      return json.isObject() ? DriftEntry.of(json) : Optional.empty();
    } catch (JsonProcessingException | IllegalArgumentException e) {
      malformed++;
      return Optional.empty();
    }
  }
}
