package io.walproof.connector.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.contract.Lsn;
import io.walproof.contract.ShapeHash;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A table whose records are diverted, because nobody has accepted the shape that they have. It is
 * kept with the table's history, so it is as durable as that, and builds that do not know it keep
 * it. It ends by acceptance alone.
 *
 * @param begin the change that began it, as its place in the stream; what comes at or after it is
 *     diverted, whatever its shape
 * @param previous the hash of the shape that was accepted last
 * @param awaited the hash of the newest shape, which waits to be accepted
 * @param since the LSN of the change that brought the awaited shape
 * @param listed whether {@code drift.accept} named the awaited hash before that change came, so
 *     that the entry belongs to an earlier acceptance and not to this
 * @param stored the JSON object it was read from, whose unknown fields are kept; null if it is new
 */
public record Diversion(
    String begin,
    ShapeHash previous,
    ShapeHash awaited,
    Lsn since,
    boolean listed,
    ObjectNode stored) {

  private static final Pattern PLACE =
      Pattern.compile("[0-9A-F]{1,8}/[0-9A-F]{1,8} [0-9A-F]{1,8}/[0-9A-F]{1,8} [0-9]{1,18}");

  /** Refuses missing parts. */
  public Diversion {
    if (!PLACE.matcher(begin).matches()) {
      throw new IllegalArgumentException("a diversion begins at a place in the stream");
    }
    Objects.requireNonNull(previous, "previous");
    Objects.requireNonNull(awaited, "awaited");
    Objects.requireNonNull(since, "since");
  }

  /** A new one. */
  public Diversion(String begin, ShapeHash previous, ShapeHash awaited, Lsn since, boolean listed) {
    this(begin, previous, awaited, since, listed, null);
  }

  /** The same table with one more shape: the older one can no longer be accepted. */
  public Diversion awaiting(ShapeHash newer, Lsn lsn, boolean isListed) {
    return new Diversion(begin, previous, newer, lsn, isListed, stored);
  }

  /** Whether the awaited shape is the one that began it. */
  public boolean isFirst() {
    return begin.split(" ", -1)[1].equals(since.toString());
  }

  /** The same after {@code drift.accept} was seen without the awaited hash. */
  public Diversion unlisted() {
    return new Diversion(begin, previous, awaited, since, false, stored);
  }

  ObjectNode toJson() {
    ObjectNode json = HistoryJson.copyOrNew(stored);
    json.put("h", awaited.hex())
        .put("lsn", since.toString())
        .put("from", previous.hex())
        .put("begin", begin);
    json.remove("listed");
    return listed ? json.put("listed", true) : json;
  }

  static Diversion fromJson(JsonNode json) {
    try {
      return new Diversion(
          json.path("begin").asText(),
          new ShapeHash(json.path("from").asText()),
          new ShapeHash(json.path("h").asText()),
          Lsn.parse(json.path("lsn").asText()),
          json.path("listed").asBoolean(false),
          (ObjectNode) json);
    } catch (IllegalArgumentException | ClassCastException e) {
      throw new HistoryFormatException("a diverted table of the schema history is malformed", e);
    }
  }
}
