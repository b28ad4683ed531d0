package io.walproof.verifier.range;

import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What the source's catalog says of a table whose writers are watched, from {@link
 * WitnessSql#STATE}. Two that are equal mean that nothing was altered in between.
 *
 * @param oids the relations that its changes may be sent under
 * @param tables changes with what changes rows beside the changes that are sent
 * @param types changes with what changes the texts of values
 * @param shifting whether texts may change in a way that this does not show
 * @param publication one that sends every change of the table
 * @param published changes with it
 */
record WitnessedTable(
    Set<Integer> oids,
    String tables,
    String types,
    boolean shifting,
    Optional<String> publication,
    String published) {

  private static final char TRUNCATE = 'T';
  private static final char MESSAGE = 'M';

  WitnessedTable {
    oids = Set.copyOf(oids);
  }

  /** Empty if there is no such table. */
  static Optional<WitnessedTable> read(ResultSet rows) throws SQLException {
    if (!rows.next() || rows.getArray("oids") == null) {
      return Optional.empty();
    }
    Set<Integer> oids = new HashSet<>();
    for (Object oid : (Object[]) rows.getArray("oids").getArray()) {
      oids.add(((Number) oid).intValue());
    }
    return Optional.of(
        new WitnessedTable(
            oids,
            rows.getString("tables"),
            String.valueOf(rows.getString("types")),
            rows.getBoolean("shifting"),
            Optional.ofNullable(rows.getString("publication")),
            String.valueOf(rows.getString("published"))));
  }

  /**
   * Whether a message of pgoutput, protocol 1, is a change of the table. A truncate names several
   * relations behind their number and one byte of options.
   */
  boolean isChangedBy(byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message, 1, message.length - 1);
    if (isMessage(message)) {
      return false;
    }
    if (message[0] != TRUNCATE) {
      return oids.contains(bytes.getInt());
    }
    int relations = bytes.getInt();
    bytes.get();
    for (int i = 0; i < relations; i++) {
      if (oids.contains(bytes.getInt())) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is a logical message. */
  static boolean isMessage(byte[] message) {
    return message[0] == MESSAGE;
  }
}
