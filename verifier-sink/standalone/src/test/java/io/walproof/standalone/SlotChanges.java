package io.walproof.standalone;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Transactions out of a slot with pgoutput, protocol 1, through SQL: for an applier that a test
 * holds in its hand. Not thread-safe.
 */
final class SlotChanges {

  /** A value that was not sent because it is out of line and did not change. */
  @SuppressWarnings("StringOperationCanBeSimplified") // an identity that no value has
  static final String UNCHANGED = new String("unchanged");

  /** What a change does. */
  enum Kind {
    INSERT,
    UPDATE,
    DELETE,
    TRUNCATE
  }

  /**
   * A table.
   *
   * @param keys for each column whether it is of the key
   */
  record Relation(String schema, String name, List<String> columns, List<Boolean> keys) {}

  /**
   * A change.
   *
   * @param row the new row, of a DELETE the key's values, of a TRUNCATE nothing
   */
  record Change(Kind kind, Relation relation, List<String> row) {
    Change with(List<String> other) {
      return new Change(kind, relation, other);
    }
  }

  private final String slot;
  private final String publication;
  private final Map<Integer, Relation> relations = new HashMap<>();

  SlotChanges(String slot, String publication) {
    this.slot = slot;
    this.publication = publication;
  }

  /** Takes all transactions that are there out of the slot. */
  List<List<Change>> take(Connection source) throws SQLException {
    List<List<Change>> transactions = new ArrayList<>();
    try (PreparedStatement statement =
        source.prepareStatement(
            "SELECT data FROM pg_logical_slot_get_binary_changes(?, NULL, NULL,"
                + " 'proto_version', '1', 'publication_names', ?)")) {
      statement.setString(1, slot);
      statement.setString(2, publication);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          read(ByteBuffer.wrap(rows.getBytes(1)), transactions);
        }
      }
    }
    return transactions;
  }

  private void read(ByteBuffer message, List<List<Change>> transactions) {
    switch ((char) message.get()) {
      case 'B' -> transactions.add(new ArrayList<>());
      case 'R' -> relation(message);
      case 'I' -> last(transactions).add(row(Kind.INSERT, message));
      case 'U' -> last(transactions).add(row(Kind.UPDATE, message));
      case 'D' -> last(transactions).add(row(Kind.DELETE, message));
      case 'T' -> {
        int tables = message.getInt();
        message.get();
        for (int i = 0; i < tables; i++) {
          last(transactions)
              .add(new Change(Kind.TRUNCATE, relations.get(message.getInt()), List.of()));
        }
      }
      default -> {}
    }
  }

  private static List<Change> last(List<List<Change>> transactions) {
    return transactions.get(transactions.size() - 1);
  }

  private void relation(ByteBuffer message) {
    int id = message.getInt();
    String schema = text(message);
    String name = text(message);
    message.get();
    List<String> columns = new ArrayList<>();
    List<Boolean> keys = new ArrayList<>();
    for (int n = message.getShort(); n > 0; n--) {
      keys.add(message.get() == 1);
      columns.add(text(message));
      message.getInt();
      message.getInt();
    }
    relations.put(id, new Relation(schema, name, columns, keys));
  }

  /** Keys do not change in these tests, so that the last tuple has all that is needed. */
  private Change row(Kind kind, ByteBuffer message) {
    Relation relation = relations.get(message.getInt());
    List<String> row = List.of();
    while (message.hasRemaining()) {
      message.get();
      row = tuple(message);
    }
    return new Change(kind, relation, row);
  }

  private static List<String> tuple(ByteBuffer message) {
    List<String> values = new ArrayList<>();
    for (int n = message.getShort(); n > 0; n--) {
      switch ((char) message.get()) {
        case 'n' -> values.add(null);
        case 'u' -> values.add(UNCHANGED);
        default -> {
          byte[] bytes = new byte[message.getInt()];
          message.get(bytes);
          values.add(new String(bytes, StandardCharsets.UTF_8));
        }
      }
    }
    return values;
  }

  private static String text(ByteBuffer message) {
    ByteBuffer name = message.slice();
    int length = 0;
    while (message.get() != 0) {
      length++;
    }
    return StandardCharsets.UTF_8.decode(name.limit(length)).toString();
  }
}
