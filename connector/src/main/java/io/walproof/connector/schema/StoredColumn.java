package io.walproof.connector.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.walproof.contract.ColumnShape;
import io.walproof.contract.Shape;
import io.walproof.contract.ShapeHash;
import java.util.List;
import java.util.Objects;

/**
 * A column as the history keeps it: {@code ["id",20,-1,true]}, or with a type's name in place of
 * its OID where the OID differs between clusters.
 *
 * @param name the column's name
 * @param type the type as it enters the shape hash ({@link ShapeHash#typeTag})
 * @param typeModifier -1 where the type has none
 * @param key whether the column belongs to the replica identity
 */
public record StoredColumn(String name, String type, int typeModifier, boolean key) {

  private static final String BY_OID = "oid:";
  private static final String BY_NAME = "name:";
  private static final String CATALOG = "pg_catalog.";

  /** Refuses a type that is neither an OID nor a name. */
  public StoredColumn {
    Objects.requireNonNull(name, "name");
    if (!type.startsWith(BY_OID) && !type.startsWith(BY_NAME)) {
      throw new IllegalArgumentException("not a type: " + type);
    }
  }

  /** A message's column. */
  static StoredColumn of(ColumnShape column) {
    return new StoredColumn(
        column.name(), ShapeHash.typeTag(column), column.typeModifier(), column.key());
  }

  /** A message's columns, in its order. */
  public static List<StoredColumn> of(Shape shape) {
    return shape.columns().stream().map(StoredColumn::of).toList();
  }

  /** The OID of a built-in type, -1 for all others. */
  public long typeOid() {
    return type.startsWith(BY_OID) ? Long.parseLong(type.substring(BY_OID.length())) : -1;
  }

  /**
   * The built-in type that the column's values belong to: its own, or the one that its domain is
   * over; -1 for all others. A message names a domain by the type below it.
   */
  public long valueTypeOid() {
    if (!isDomain()) {
      return typeOid();
    }
    return BuiltInTypes.byCatalogName(type.substring(BY_NAME.length() + CATALOG.length()))
        .orElse(-1);
  }

  /** Whether the type is a domain over a built-in type; which one, the message does not tell. */
  public boolean isDomain() {
    return type.startsWith(BY_NAME + CATALOG);
  }

  /** The type for people, with its modifier, as PostgreSQL writes it. */
  public String typeText() {
    if (isDomain() && valueTypeOid() != -1) {
      return "domain over " + TypeText.builtIn(valueTypeOid(), typeModifier);
    }
    return type.startsWith(BY_NAME)
        ? TypeText.named(type.substring(BY_NAME.length()), typeModifier)
        : TypeText.builtIn(typeOid(), typeModifier);
  }

  ArrayNode toJson() {
    ArrayNode json = JsonNodeFactory.instance.arrayNode(4).add(name);
    if (type.startsWith(BY_NAME)) {
      json.add(type.substring(BY_NAME.length()));
    } else {
      json.add(typeOid());
    }
    return json.add(typeModifier).add(key);
  }

  static StoredColumn fromJson(JsonNode json) {
    JsonNode type = json.path(1);
    if (!json.path(0).isTextual()
        || !(type.isTextual() || type.canConvertToLong())
        || !json.path(2).canConvertToInt()
        || !json.path(3).isBoolean()) {
      throw new HistoryFormatException("a column of the schema history is not [name,type,mod,key]");
    }
    return new StoredColumn(
        json.get(0).textValue(),
        type.isTextual() ? BY_NAME + type.textValue() : BY_OID + type.longValue(),
        json.get(2).intValue(),
        json.get(3).booleanValue());
  }
}
