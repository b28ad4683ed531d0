package io.walproof.connector.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The schema history, format 1: per table the shapes of its delivered changes. Immutable; a change
 * yields a new object. The JSON string is put together from the tables' strings, and only when
 * somebody asks.
 */
public final class SchemaHistory {

  private static final int VERSION = 1;
  private static final String EMPTY_TOP = "{\"v\":1}";

  /** The field for tables in their short form. */
  private static final String COMPACT = "compact";

  private static final int COMPACT_FRAME = 13;

  /** By {@link TableId#display()}, sorted, so that equal histories are equal strings. */
  private final Map<String, TableHistory> tables;

  /** Whether tables of which only the newest hash is left are written in their short form. */
  private final boolean compact;

  /** Tables that hold no version, as they were read. */
  private final Map<String, String> opaque;

  /** The top object without {@code tables}. */
  private final String top;

  private final long bytes;
  private final int shed;
  private String json;

  private SchemaHistory(
      Map<String, TableHistory> tables,
      Map<String, String> opaque,
      String top,
      long bytes,
      int shed,
      boolean compact) {
    this.tables = tables;
    this.compact = compact;
    this.opaque = opaque;
    this.top = top;
    this.bytes = bytes;
    this.shed = shed;
  }

  /** No baseline yet. */
  public static SchemaHistory empty() {
    return new SchemaHistory(new TreeMap<>(), Map.of(), EMPTY_TOP, topBytes(EMPTY_TOP), 0, false);
  }

  /**
   * The most that the newest hashes of tables can take, in bytes: what cannot be shed.
   *
   * @param names the tables' display names
   */
  public static long leastBytes(Collection<String> names) {
    long bytes = topBytes(EMPTY_TOP) + COMPACT_FRAME;
    for (String name : names) {
      bytes += entryBytes(name, CompactForm.MOST_BYTES);
    }
    return bytes;
  }

  /**
   * Reads a stored history. Unknown fields are kept.
   *
   * @throws HistoryFormatException if the text is damaged or of an unknown version
   */
  public static SchemaHistory read(String text) {
    ObjectNode json = (ObjectNode) HistoryJson.parse(text);
    JsonNode version = json.path("v");
    if (!version.isIntegralNumber() || version.intValue() != VERSION) {
      throw new HistoryFormatException(
          "the schema history has format version "
              + (version.isMissingNode() ? "none" : version)
              + ", this build reads version 1; use the build that wrote it, or a newer one");
    }
    TreeMap<String, TableHistory> tables = new TreeMap<>();
    Map<String, String> opaque = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : json.path("tables").properties()) {
      Optional<TableHistory> table = TableHistory.fromJson(entry.getValue());
      if (table.isPresent()) {
        tables.put(entry.getKey(), table.get());
      } else {
        opaque.put(entry.getKey(), HistoryJson.text(entry.getValue()));
      }
    }
    boolean compact = false;
    for (Map.Entry<String, JsonNode> entry : json.path(COMPACT).properties()) {
      // An older build keeps the short forms and writes its own entries beside them.
      if (!tables.containsKey(entry.getKey()) && !opaque.containsKey(entry.getKey())) {
        tables.put(entry.getKey(), CompactForm.read(entry.getValue()));
        compact = true;
      }
    }
    json.remove("tables");
    json.remove(COMPACT);
    String top = HistoryJson.text(json);
    long bytes = topBytes(top);
    for (Map.Entry<String, TableHistory> entry : tables.entrySet()) {
      bytes += entryBytes(entry.getKey(), entry.getValue().bytes());
    }
    for (Map.Entry<String, String> entry : opaque.entrySet()) {
      bytes += entryBytes(entry.getKey(), utf8(entry.getValue()));
    }
    return new SchemaHistory(tables, opaque, top, bytes, 0, compact);
  }

  /** A table's history, empty if there is no baseline. */
  public Optional<TableHistory> table(TableId table) {
    return Optional.ofNullable(tables.get(table.display()));
  }

  /** All tables by qualified name. */
  public Map<String, TableHistory> tables() {
    return Collections.unmodifiableMap(tables);
  }

  /** The tables whose records are diverted, by qualified name. */
  public Map<String, Diversion> diversions() {
    Map<String, Diversion> diverted = new TreeMap<>();
    tables.forEach(
        (name, table) -> table.diversion().ifPresent(present -> diverted.put(name, present)));
    return diverted;
  }

  /**
   * The history after a change of one table's. What does not fit any more is shed: column sets
   * first, then the oldest versions, each beginning with the table that changed longest ago; never
   * a newest hash. If that is not enough, the tables are written in their short form, which only
   * builds that know it read.
   */
  public SchemaHistory with(TableId table, TableHistory history, HistoryLimits limits) {
    String name = table.display();
    TreeMap<String, TableHistory> next = new TreeMap<>(tables);
    TableHistory old = next.put(name, history);
    Map<String, String> others = new TreeMap<>(opaque);
    String oldOpaque = others.remove(name);
    long size = bytes + entryBytes(name, history.bytes());
    if (old != null) {
      size -= entryBytes(name, old.bytes());
    } else if (oldOpaque != null) {
      size -= entryBytes(name, utf8(oldOpaque));
    }
    SchemaHistory whole = new SchemaHistory(next, others, top, size, shed, false);
    return whole.bytes <= limits.maxBytes() ? whole : whole.shed(limits.maxBytes());
  }

  /** How many column sets and versions were given up for want of room since the start. */
  public int shedCount() {
    return shed;
  }

  /**
   * Whether the JSON string is longer than it may be when all is shed that can be: only tables that
   * have no short form, such as diverted ones, bring that about.
   */
  public boolean exceeds(HistoryLimits limits) {
    int max = limits.maxBytes();
    return bytes > max && utf8(shed(max).json()) > max;
  }

  private SchemaHistory shed(int maxBytes) {
    Map<String, TableHistory> kept = new TreeMap<>(tables);
    long size = bytes;
    int given = shed;
    while (size > maxBytes) {
      Optional<String> name = oldest(kept, table -> table.columns().isPresent());
      boolean columns = name.isPresent();
      if (!columns) {
        name = oldest(kept, table -> table.versions().size() > 1);
      }
      if (name.isEmpty()) {
        break;
      }
      TableHistory table = kept.get(name.get());
      TableHistory less = columns ? table.withoutColumns() : table.withoutOldest();
      kept.put(name.get(), less);
      size += less.bytes() - table.bytes();
      given++;
    }
    return new SchemaHistory(kept, opaque, top, size, given, size > maxBytes);
  }

  /** The table that changed longest ago, of those that have something to give. */
  private static Optional<String> oldest(
      Map<String, TableHistory> tables, Predicate<TableHistory> hasSomething) {
    String oldest = null;
    Lsn lsn = null;
    for (Map.Entry<String, TableHistory> entry : tables.entrySet()) {
      Lsn changed = entry.getValue().newest().lsn();
      if (hasSomething.test(entry.getValue()) && (lsn == null || changed.compareTo(lsn) < 0)) {
        oldest = entry.getKey();
        lsn = changed;
      }
    }
    return Optional.ofNullable(oldest);
  }

  /** The JSON string; the same object until something changes. */
  public synchronized String json() {
    if (json == null) {
      StringBuilder text = new StringBuilder((int) Math.min(bytes, 1 << 26));
      text.append(top, 0, top.length() - 1);
      Map<String, String> all = new TreeMap<>(opaque);
      Map<String, String> shortened = new TreeMap<>();
      tables.forEach(
          (name, table) -> {
            Optional<String> form = compact ? CompactForm.of(table) : Optional.empty();
            form.ifPresentOrElse(
                brief -> shortened.put(name, brief), () -> all.put(name, table.json()));
          });
      append(text, "tables", all);
      if (!shortened.isEmpty()) {
        append(text, COMPACT, shortened);
      }
      json = text.append('}').toString();
    }
    return json;
  }

  private static void append(StringBuilder text, String field, Map<String, String> entries) {
    text.append(",\"").append(field).append("\":{");
    String separator = "";
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      text.append(separator).append(quoted(entry.getKey())).append(':').append(entry.getValue());
      separator = ",";
    }
    text.append('}');
  }

  private static String quoted(String name) {
    return HistoryJson.text(JsonNodeFactory.instance.textNode(name));
  }

  /** The top object, {@code ,"tables":{}}; the braces of the top object are its own. */
  private static long topBytes(String top) {
    return utf8(top) + 12;
  }

  /** Name, colon, value and comma. */
  private static long entryBytes(String name, long valueBytes) {
    return utf8(quoted(name)) + valueBytes + 2;
  }

  private static long utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SchemaHistory that && json().equals(that.json());
  }

  @Override
  public int hashCode() {
    return json().hashCode();
  }

  @Override
  public String toString() {
    return json();
  }
}
