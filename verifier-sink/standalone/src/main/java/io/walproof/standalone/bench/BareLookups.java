package io.walproof.standalone.bench;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * What anybody would write who only wanted the rows: one statement a batch, every column as a
 * string, nothing compared. One connection a side, as one worker has.
 */
final class BareLookups {

  private static final String SQL = "SELECT * FROM " + BenchTable.ID.sql() + " WHERE id = ANY (?)";

  private BareLookups() {}

  /** Reads the keys on both sides, batch by batch; gives the number of characters read. */
  static long read(Connection source, Connection target, List<List<Long>> batches)
      throws SQLException {
    long characters = 0;
    try (PreparedStatement here = source.prepareStatement(SQL);
        PreparedStatement there = target.prepareStatement(SQL)) {
      for (List<Long> batch : batches) {
        characters += read(source, here, batch);
        characters += read(target, there, batch);
      }
    }
    return characters;
  }

  private static long read(Connection connection, PreparedStatement statement, List<Long> keys)
      throws SQLException {
    Array array = connection.createArrayOf("int8", keys.toArray(Long[]::new));
    statement.setArray(1, array);
    long characters = 0;
    int found = 0;
    try (ResultSet rows = statement.executeQuery()) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        found++;
        for (int column = 1; column <= columns; column++) {
          String value = rows.getString(column);
          characters += value == null ? 0 : value.length();
        }
      }
    }
    if (found != keys.size()) {
      throw new IllegalStateException(found + " rows were found for " + keys.size() + " keys");
    }
    return characters;
  }
}
