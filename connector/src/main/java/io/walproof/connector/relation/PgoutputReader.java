package io.walproof.connector.relation;

import io.walproof.contract.ColumnShape;
import io.walproof.contract.Lsn;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.Shape;
import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Follows a pgoutput stream, version 1, and knows what its latest message was decoded with. Per row
 * change it does next to nothing: tuples are read only for records that Debezium makes.
 *
 * <p>Belongs to the streaming thread.
 */
final class PgoutputReader {

  private static final Instant PG_EPOCH = Instant.parse("2000-01-01T00:00:00Z");

  private final Predicate<TableId> captured;
  private final Map<Long, Known> relations = new HashMap<>();
  private final Map<Long, String> typeNames = new HashMap<>();

  private Lsn commit = Lsn.NONE;
  private Instant committedAt = PG_EPOCH;
  private long transactionId;
  private Lsn lastLsn = Lsn.NONE;
  private long numberAtLsn;

  /** The latest message's kind if it was a change, else 0. */
  private byte kind;

  private Relation relation;
  private List<Relation> truncated = List.of();
  private ByteBuffer tuples;

  PgoutputReader(Predicate<TableId> captured) {
    this.captured = captured;
  }

  /** A RELATION message as it came, and what was made of it. */
  private record Known(ByteBuffer bytes, Relation relation) {}

  /**
   * Takes the next message.
   *
   * @param message the message; consumed, and kept until the next one
   * @param receiveLsn the LSN that the stream reports for it, 0 for RELATION and TYPE
   */
  void accept(ByteBuffer message, long receiveLsn) {
    byte type = message.get();
    kind = 0;
    switch (type) {
      case 'I', 'U', 'D' -> {
        place(receiveLsn);
        relation = relation(Wire.uint32(message));
        tuples = message;
        kind = type;
      }
      case 'B' -> {
        commit = new Lsn(message.getLong());
        committedAt = PG_EPOCH.plus(message.getLong(), ChronoUnit.MICROS);
        transactionId = Wire.uint32(message);
        lastLsn = Lsn.NONE;
        numberAtLsn = 0;
      }
      case 'R' -> relation(message);
      case 'Y' -> {
        long oid = Wire.uint32(message);
        String schema = Wire.string(message);
        String name = Wire.string(message);
        typeNames.put(
            oid,
            SqlIdentifier.display(schema.isEmpty() ? "pg_catalog" : schema)
                + '.'
                + SqlIdentifier.display(name));
      }
      case 'T' -> {
        place(receiveLsn);
        truncated = truncated(message);
        kind = type;
      }
      case 'C', 'O', 'M' -> {}
      default ->
          throw new TapException(
              "the replication stream holds a message of type '"
                  + (char) type
                  + "', which pgoutput version 1 does not send; remove streaming and two-phase"
                  + " options from slot.stream.params");
    }
  }

  /** Whether the latest message is a change. */
  boolean isChange() {
    return kind != 0;
  }

  /** {@code I}, {@code U}, {@code D}, {@code T}, or 0. */
  byte kind() {
    return kind;
  }

  /** The latest row change's relation. */
  Relation relation() {
    return relation;
  }

  /** The relations that the latest message emptied. */
  List<Relation> truncatedRelations() {
    return truncated;
  }

  /** The latest row change's tuples, from their start. */
  ByteBuffer tuples() {
    return tuples.duplicate();
  }

  /** The latest change's own LSN. */
  Lsn lsn() {
    return lastLsn;
  }

  /** The current transaction's commit LSN, as BEGIN announced it. */
  Lsn commit() {
    return commit;
  }

  /** How many changes of the transaction share the latest change's LSN before it. */
  long numberAtLsn() {
    return numberAtLsn;
  }

  long transactionId() {
    return transactionId;
  }

  /** When the current transaction was committed. */
  Instant committedAt() {
    return committedAt;
  }

  private void place(long receiveLsn) {
    if (lastLsn.value() == receiveLsn) {
      numberAtLsn++;
    } else {
      lastLsn = new Lsn(receiveLsn);
      numberAtLsn = 0;
    }
  }

  private Relation relation(long oid) {
    Known known = relations.get(oid);
    if (known == null) {
      throw new TapException(
          "a change names relation " + oid + ", which no RELATION message announced");
    }
    return known.relation();
  }

  private List<Relation> truncated(ByteBuffer message) {
    int count = message.getInt();
    message.get();
    List<Relation> found = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      found.add(relation(Wire.uint32(message)));
    }
    return found;
  }

  /** A renamed type changes no byte of RELATION, only the TYPE message ahead of it. */
  private boolean typesKeptTheirNames(Relation relation) {
    for (ColumnShape column : relation.shape().columns()) {
      if (!Objects.equals(column.typeName(), typeNames.get(column.typeOid()))) {
        return false;
      }
    }
    return true;
  }

  private void relation(ByteBuffer message) {
    ByteBuffer bytes = message.duplicate();
    long oid = Wire.uint32(message);
    Known known = relations.get(oid);
    if (known != null && known.bytes().equals(bytes) && typesKeptTheirNames(known.relation())) {
      return;
    }
    String schema = Wire.string(message);
    TableId table = new TableId(schema.isEmpty() ? "pg_catalog" : schema, Wire.string(message));
    ReplicaIdentity identity = ReplicaIdentity.of((char) message.get());
    int count = Short.toUnsignedInt(message.getShort());
    List<ColumnShape> columns = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      boolean key = (message.get() & 1) != 0;
      String name = Wire.string(message);
      long type = Wire.uint32(message);
      columns.add(new ColumnShape(name, type, typeNames.get(type), message.getInt(), key));
    }
    Shape shape = new Shape(table, oid, identity, columns);
    relations.put(oid, new Known(bytes, new Relation(shape, captured.test(table))));
  }
}
