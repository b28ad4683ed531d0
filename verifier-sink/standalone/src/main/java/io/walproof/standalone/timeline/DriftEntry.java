package io.walproof.standalone.timeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One drift event as it was recorded, in the audit's words. Kinds and differences are kept as text,
 * so that a newer build's are shown too.
 *
 * @param at when it was recorded; empty in a topic's value, which has no time of its own
 * @param table the table, empty for events of the stream as a whole
 * @param kind what happened
 * @param occurrence whether the connector was listening when it happened
 * @param lsn where
 * @param transaction the deciding change's, 0 where there is none
 * @param previous the hash before, empty where there is none
 * @param current the hash now, empty where there is none
 * @param changes the differences
 * @param narrowing whether values may not fit, empty where it is not known
 * @param policy the policy in force
 * @param action what was done
 * @param detail a sentence
 * @param from of a gap, where it begins; empty where that is not known
 */
public record DriftEntry(
    Optional<String> at,
    Optional<TableId> table,
    String kind,
    String occurrence,
    Lsn lsn,
    long transaction,
    Optional<String> previous,
    Optional<String> current,
    List<Change> changes,
    Optional<Boolean> narrowing,
    String policy,
    String action,
    String detail,
    Optional<Lsn> from) {

  /**
   * One difference.
   *
   * @param column the column, empty for the table as a whole
   * @param what which property
   * @param before the property before
   * @param after the property after
   * @param narrowing whether values may not fit
   */
  public record Change(
      String column, String what, String before, String after, boolean narrowing) {}

  /** The same, recorded then; for an event that has no time of its own. */
  public DriftEntry recordedAt(String time) {
    return new DriftEntry(
        at.or(() -> Optional.of(time)),
        table,
        kind,
        occurrence,
        lsn,
        transaction,
        previous,
        current,
        changes,
        narrowing,
        policy,
        action,
        detail,
        from);
  }

  /** Whether this is a first shape, which is no drift. */
  public boolean isBaseline() {
    return kind.equals("initial");
  }

  /** Whether changes were made that will never be seen. */
  public boolean isGap() {
    return kind.equals("gap") || kind.equals("nothing_delivered");
  }

  /** Whether this tells a gap that the other has told: before its end was durable, perhaps. */
  public boolean isSameGap(DriftEntry other) {
    return isGap()
        && kind.equals(other.kind)
        && table.equals(other.table)
        && from.equals(other.from)
        // Where nobody knows where it begins, it is the same if it was told in the same place.
        && (from.isPresent() || (lsn.equals(other.lsn) && detail.equals(other.detail)));
  }

  /**
   * Reads an audit record, a topic record's value, or such a value in the envelope that Connect's
   * JSON converter puts around it.
   *
   * @return empty for anything else that is JSON
   */
  public static Optional<DriftEntry> of(JsonNode json) {
    if (json.path("payload").isObject()) {
      return of(json.path("payload"));
    }
    if (!json.path("kind").isTextual() || !json.path("occurrence").isTextual()) {
      return Optional.empty();
    }
    boolean audit = json.path("table").isObject() || json.path("lsn").isTextual();
    return Optional.of(
        new DriftEntry(
            text(json, "ts"),
            table(json),
            json.path("kind").asText(),
            json.path("occurrence").asText(),
            audit ? Lsn.parse(json.path("lsn").asText()) : new Lsn(json.path("lsn").asLong()),
            json.path(audit ? "transaction" : "txid").asLong(),
            text(json, audit ? "previous_shape" : "previous"),
            text(json, audit ? "shape" : "current"),
            changes(json.path("changes")),
            json.path("narrowing").isBoolean()
                ? Optional.of(json.path("narrowing").booleanValue())
                : Optional.empty(),
            json.path("policy").asText(),
            json.path("action").asText(),
            json.path("detail").asText(),
            from(json.path("from"))));
  }

  /** Text in the audit, a number on the topic. */
  private static Optional<Lsn> from(JsonNode lsn) {
    if (lsn.isTextual()) {
      return Optional.of(Lsn.parse(lsn.textValue()));
    }
    return lsn.isIntegralNumber() ? Optional.of(new Lsn(lsn.longValue())) : Optional.empty();
  }

  private static Optional<TableId> table(JsonNode json) {
    JsonNode table = json.path("table");
    if (table.isObject()) {
      return Optional.of(new TableId(table.path("schema").asText(), table.path("name").asText()));
    }
    return table.isTextual()
        ? Optional.of(new TableId(json.path("schema").asText(), table.textValue()))
        : Optional.empty();
  }

  private static List<Change> changes(JsonNode array) {
    List<Change> changes = new ArrayList<>();
    for (JsonNode each : array) {
      changes.add(
          new Change(
              each.path("column").asText(),
              each.path("what").asText(),
              each.path("before").asText(),
              each.path("after").asText(),
              each.path("narrowing").asBoolean()));
    }
    return changes;
  }

  private static Optional<String> text(JsonNode json, String field) {
    return Optional.ofNullable(json.path(field).textValue());
  }

  /** The event for machines: the audit's fields, and the difference as statements. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    at.ifPresent(time -> json.put("ts", time));
    table.ifPresent(t -> json.putObject("table").put("schema", t.schema()).put("name", t.name()));
    json.put("kind", kind).put("occurrence", occurrence).put("lsn", lsn.toString());
    from.ifPresent(begin -> json.put("from", begin.toString()));
    json.put("transaction", transaction);
    previous.ifPresent(hash -> json.put("previous_shape", hash));
    current.ifPresent(hash -> json.put("shape", hash));
    var list = json.putArray("changes");
    for (Change change : changes) {
      list.addObject()
          .put("column", change.column())
          .put("what", change.what())
          .put("before", change.before())
          .put("after", change.after())
          .put("narrowing", change.narrowing());
    }
    narrowing.ifPresent(narrows -> json.put("narrowing", narrows));
    json.put("policy", policy).put("action", action).put("detail", detail);
    var statements = json.putArray("difference");
    DriftText.difference(this).forEach(statements::add);
    return json;
  }
}
