package io.walproof.verifier.connect.decode;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Debezium's change events. An update that changes the key comes as a deletion and an insertion, so
 * each event names one key, that of the record. For one thread.
 */
final class EnvelopeDecoder {

  private static final long XID_MASK = 0xFFFFFFFFL;

  /** What Debezium's topic routing adds to keys; no column. */
  private static final String ROUTED = "__dbz__physicalTableIdentifier";

  private final SourceColumns columns;
  private final KeyTexts texts;
  private final String database;

  /**
   * A decoder.
   *
   * @param database the name of the only database whose changes are taken
   */
  EnvelopeDecoder(SourceColumns columns, DebeziumModes modes, String database) {
    this.columns = columns;
    this.texts = new KeyTexts(modes);
    this.database = database;
  }

  Decoded decode(RecordView envelope, Object key, Optional<String> shape) {
    String op = envelope.text("op").orElse("");
    if (op.equals("m")) {
      return new Decoded.Ignored("message");
    }
    RecordView source = envelope.nested("source").orElseThrow();
    requireOurs(source);
    TableId table = table(source);
    return switch (op) {
      case "t" ->
          new Decoded.Skipped(
              table, "truncate", "the table was emptied; its rows are not checked one by one");
      case "c", "r", "u", "d" -> change(source, op, table, key, shape);
      default -> throw new EnvelopeException("has an operation that is not known.");
    };
  }

  private void requireOurs(RecordView source) {
    String connector = source.text("connector").orElse("");
    if (!connector.equals("postgresql")) {
      throw new EnvelopeException(
          "comes from "
              + (connector.isEmpty() ? "an unnamed connector" : "connector \"" + connector + '"')
              + ", not from Debezium's for PostgreSQL.");
    }
    Optional<String> from = source.text("db");
    if (from.isPresent() && !from.get().equals(database)) {
      throw new EnvelopeException(
          "comes from database \""
              + from.get()
              + "\", but verify.source.jdbc.url leads to \""
              + database
              + "\": use one sink connector a source database.");
    }
  }

  private static TableId table(RecordView source) {
    Optional<String> schema = source.text("schema");
    Optional<String> name = source.text("table");
    if (schema.isEmpty() || name.isEmpty()) {
      throw new EnvelopeException("names no table in source.schema and source.table.");
    }
    try {
      return new TableId(schema.get(), name.get());
    } catch (IllegalArgumentException e) {
      throw new EnvelopeException("names a table that no catalog can hold.");
    }
  }

  private Decoded change(
      RecordView source, String op, TableId table, Object key, Optional<String> shape) {
    if (key == null) {
      return new Decoded.Skipped(
          table, "no_usable_key", "its records have no key; give the table a primary key");
    }
    Optional<RecordView> view = RecordView.of(key);
    if (view.isEmpty()) {
      throw new EnvelopeException(
          "has a key that is a "
              + key.getClass().getSimpleName()
              + " and not a struct or map: set key.converter to the one that wrote the topic, and"
              + " leave out transformations of the key.");
    }
    Set<String> names = view.get().names();
    names.remove(ROUTED);
    if (names.isEmpty()) {
      return new Decoded.Skipped(table, "no_usable_key", "its records have an empty key");
    }
    Optional<SourceColumns.Table> known = columns.table(table, names);
    if (known.isEmpty()) {
      return new Decoded.Skipped(
          table,
          "key_type_unknown",
          "the source has no such table (any more), so what its keys mean is not known");
    }
    return key(source, op, table, known.get(), view.get(), names, shape);
  }

  private Decoded key(
      RecordView source,
      String op,
      TableId table,
      SourceColumns.Table known,
      RecordView key,
      Set<String> names,
      Optional<String> shape) {
    if (!known.columns().keySet().containsAll(names)) {
      return new Decoded.Skipped(
          table,
          "key_type_unknown",
          "the source's table has not all of the key columns " + names + " (any more)");
    }
    // In the catalog's order: a map has none that could be relied on.
    List<ColumnType> types =
        names.stream()
            .map(known.columns()::get)
            .sorted(Comparator.comparingInt(ColumnType::position))
            .toList();
    List<RowKey.Column> found = new ArrayList<>(types.size());
    for (ColumnType type : types) {
      KeyText text = texts.of(type, key.schemaOf(type.column()), key.get(type.column()));
      if (op.equals("r")) {
        text = TemporalTexts.readBySnapshot(type, text);
      }
      if (text instanceof KeyText.Unknown unknown) {
        return new Decoded.Skipped(table, "key_value_unavailable", unknown.detail());
      } else if (text instanceof KeyText.Known column) {
        found.add(new RowKey.Column(type.column(), column.text()));
      }
    }
    boolean read = op.equals("r");
    return new Decoded.Change(
        new ChangedKey(
            table,
            new RowKey(found),
            operation(op, known),
            source.number("lsn").map(Lsn::new).orElse(Lsn.NONE),
            read ? 0 : source.number("txId").orElse(0L) & XID_MASK,
            Instant.ofEpochMilli(source.number("ts_ms").orElse(0L)),
            shape.flatMap(EnvelopeDecoder::hash).orElse(null)));
  }

  /**
   * Where the replica identity is an index, a deletion's key may be that of another row; then the
   * row that it names is looked up like any other.
   */
  private static Operation operation(String op, SourceColumns.Table known) {
    return switch (op) {
      case "c" -> Operation.INSERT;
      case "r" -> Operation.READ;
      case "d" -> known.identityIsIndex() ? Operation.UPDATE : Operation.DELETE;
      default -> Operation.UPDATE;
    };
  }

  private static Optional<ShapeHash> hash(String hex) {
    try {
      return Optional.of(new ShapeHash(hex));
    } catch (IllegalArgumentException e) {
      // A header that a converter rewrote says nothing; the shape is information only.
      return Optional.empty();
    }
  }
}
