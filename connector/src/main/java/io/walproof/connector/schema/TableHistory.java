package io.walproof.connector.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.contract.Lsn;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.Shape;
import io.walproof.contract.ShapeHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What the history knows of one table. Immutable. */
public final class TableHistory {

  private static final Set<String> KNOWN = Set.of("versions", "columns", "oid", "ri", "diverted");
  private static final Set<String> KNOWN_OF_VERSION = Set.of("h", "lsn");

  private final List<ShapeVersion> versions;
  private final Optional<List<StoredColumn>> columns;
  private final OptionalLong relationOid;
  private final Optional<ReplicaIdentity> replicaIdentity;
  private final Optional<Diversion> diversion;

  /** The JSON object this was read from, whose unknown fields are kept; null if it is new. */
  private final ObjectNode stored;

  private final String json;
  private final int bytes;

  private TableHistory(
      List<ShapeVersion> versions,
      Optional<List<StoredColumn>> columns,
      OptionalLong relationOid,
      Optional<ReplicaIdentity> replicaIdentity,
      Optional<Diversion> diversion,
      ObjectNode stored) {
    this.versions = List.copyOf(versions);
    this.columns = columns.map(List::copyOf);
    this.relationOid = relationOid;
    this.replicaIdentity = replicaIdentity;
    this.diversion = diversion;
    this.stored = stored;
    this.json = HistoryJson.text(toJson());
    this.bytes = json.getBytes(StandardCharsets.UTF_8).length;
  }

  /** The history that begins with a table's first delivered change. */
  public static TableHistory first(Shape shape, ShapeHash hash, Lsn lsn) {
    return new TableHistory(
        List.of(new ShapeVersion(hash, lsn)),
        Optional.of(StoredColumn.of(shape)),
        OptionalLong.of(shape.relationOid()),
        Optional.of(shape.replicaIdentity()),
        Optional.empty(),
        null);
  }

  /**
   * The history after a delivered change with the shape.
   *
   * @param maxVersions how many versions to keep, the oldest go first
   * @return this object if nothing changed
   */
  public TableHistory with(Shape shape, ShapeHash hash, Lsn lsn, int maxVersions) {
    boolean newShape = !newest().hash().equals(hash);
    // A set that was shed for want of room stays away until the shape changes.
    Optional<List<StoredColumn>> now =
        newShape || columns.isPresent() ? Optional.of(StoredColumn.of(shape)) : Optional.empty();
    OptionalLong oid = OptionalLong.of(shape.relationOid());
    Optional<ReplicaIdentity> identity = Optional.of(shape.replicaIdentity());
    if (!newShape
        && now.equals(columns)
        && oid.equals(relationOid)
        && identity.equals(replicaIdentity)) {
      return this;
    }
    List<ShapeVersion> all = new ArrayList<>(versions);
    if (newShape) {
      all.add(new ShapeVersion(hash, lsn));
    }
    return new TableHistory(
        all.subList(Math.max(0, all.size() - maxVersions), all.size()),
        now,
        oid,
        identity,
        diversion,
        stored);
  }

  /** The same, diverted or not. */
  public TableHistory with(Optional<Diversion> other) {
    return new TableHistory(versions, columns, relationOid, replicaIdentity, other, stored);
  }

  /** What the short form holds. */
  static TableHistory hashOnly(
      ShapeVersion version, OptionalLong relationOid, Optional<ReplicaIdentity> replicaIdentity) {
    return new TableHistory(
        List.of(version), Optional.empty(), relationOid, replicaIdentity, Optional.empty(), null);
  }

  /** Whether nothing is left but what the short form holds. */
  boolean isHashOnly() {
    return versions.size() == 1
        && columns.isEmpty()
        && diversion.isEmpty()
        && knowsAll(stored, KNOWN)
        && knowsAll(newest().stored(), KNOWN_OF_VERSION);
  }

  private static boolean knowsAll(ObjectNode json, Set<String> fields) {
    return json == null || json.properties().stream().allMatch(e -> fields.contains(e.getKey()));
  }

  /** The same without the column set. */
  TableHistory withoutColumns() {
    return new TableHistory(
        versions, Optional.empty(), relationOid, replicaIdentity, diversion, stored);
  }

  /** The same with only the newest version. */
  TableHistory withoutOldest() {
    return new TableHistory(
        versions.subList(1, versions.size()),
        columns,
        relationOid,
        replicaIdentity,
        diversion,
        stored);
  }

  /** Newest last, at least one. */
  public List<ShapeVersion> versions() {
    return versions;
  }

  /** The shape in force. */
  public ShapeVersion newest() {
    return versions.get(versions.size() - 1);
  }

  /** The newest version's columns in message order; empty if there was no room for them. */
  public Optional<List<StoredColumn>> columns() {
    return columns;
  }

  /** {@code pg_class.oid}; empty if an older build did not store it. */
  public OptionalLong relationOid() {
    return relationOid;
  }

  /** Empty if an older build did not store it, or a newer one knows more kinds. */
  public Optional<ReplicaIdentity> replicaIdentity() {
    return replicaIdentity;
  }

  /** Present while the table's records are diverted. */
  public Optional<Diversion> diversion() {
    return diversion;
  }

  /** The JSON text. */
  String json() {
    return json;
  }

  /** The JSON text's length in UTF-8. */
  int bytes() {
    return bytes;
  }

  private ObjectNode toJson() {
    ObjectNode table = HistoryJson.copyOrNew(stored);
    ArrayNode list = table.putArray("versions");
    versions.forEach(version -> list.add(version.toJson()));
    table.remove("columns");
    columns.ifPresent(
        present -> {
          ArrayNode set = table.putArray("columns");
          present.forEach(column -> set.add(column.toJson()));
        });
    // Re-set so that the fields keep the format's order.
    JsonNode oldIdentity = table.remove("ri");
    table.remove("oid");
    relationOid.ifPresent(oid -> table.put("oid", oid));
    if (replicaIdentity.isPresent()) {
      table.put("ri", String.valueOf(replicaIdentity.get().code()));
    } else if (oldIdentity != null) {
      table.set("ri", oldIdentity);
    }
    table.remove("diverted");
    diversion.ifPresent(present -> table.set("diverted", present.toJson()));
    return table;
  }

  /** Reads a table's object; empty if it holds no version and so is no baseline. */
  static Optional<TableHistory> fromJson(JsonNode json) {
    if (!json.isObject()) {
      throw new HistoryFormatException("a table of the schema history is not a JSON object");
    }
    List<ShapeVersion> versions = new ArrayList<>();
    json.path("versions").forEach(version -> versions.add(ShapeVersion.fromJson(version)));
    if (versions.isEmpty()) {
      return Optional.empty();
    }
    Optional<List<StoredColumn>> columns = Optional.empty();
    if (json.path("columns").isArray()) {
      List<StoredColumn> set = new ArrayList<>();
      json.path("columns").forEach(column -> set.add(StoredColumn.fromJson(column)));
      columns = Optional.of(set);
    }
    return Optional.of(
        new TableHistory(
            versions,
            columns,
            json.path("oid").canConvertToLong() && json.path("oid").isIntegralNumber()
                ? OptionalLong.of(json.path("oid").longValue())
                : OptionalLong.empty(),
            identity(json.path("ri").asText()),
            json.has("diverted")
                ? Optional.of(Diversion.fromJson(json.path("diverted")))
                : Optional.empty(),
            (ObjectNode) json));
  }

  /** Empty for what this build does not know. */
  static Optional<ReplicaIdentity> identity(String code) {
    for (ReplicaIdentity identity : ReplicaIdentity.values()) {
      if (code.equals(String.valueOf(identity.code()))) {
        return Optional.of(identity);
      }
    }
    return Optional.empty();
  }
}
