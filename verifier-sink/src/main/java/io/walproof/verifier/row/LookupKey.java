package io.walproof.verifier.row;

import io.walproof.contract.RowKey;
import io.walproof.verifier.database.Session;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Turns a key of either side into texts that one side's key columns take. The other side's integer
 * may be a numeric there, whose text has a fraction of zeros; and a number that an integer column
 * cannot hold is no error but a key that no row of this side has. For any thread.
 */
final class LookupKey {

  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");

  private final TypeName[] types;

  /** For key columns of these types. */
  LookupKey(List<TypeName> types) {
    this.types = types.toArray(TypeName[]::new);
  }

  /** For a side's key columns. */
  static LookupKey of(SideCatalog catalog, List<String> keyColumns) {
    return new LookupKey(
        keyColumns.stream().map(column -> catalog.column(column).orElseThrow().type()).toList());
  }

  /** Keys that this side can have. */
  static final class Batch implements Session.Parameters {
    private final int[] places;
    private final String[][] columns;

    private Batch(int[] places, String[][] columns) {
      this.places = places;
      this.columns = columns;
    }

    /** For each key column the keys' texts. */
    @Override
    public void bind(Session.Binder binder) throws SQLException {
      for (String[] texts : columns) {
        binder.texts(texts);
      }
    }

    /** Where the key of this ordinal, from 1, stands among all keys. */
    int place(int ordinal) {
      return places[ordinal - 1];
    }
  }

  /** Those of the keys at these places that this side can have. */
  Batch batch(List<RowKey> keys, int[] places) {
    List<String[]> texts = new ArrayList<>(places.length);
    int[] kept = new int[places.length];
    for (int place : places) {
      Optional<String[]> text = texts(keys.get(place));
      if (text.isPresent()) {
        kept[texts.size()] = place;
        texts.add(text.get());
      }
    }
    String[][] columns = new String[types.length][texts.size()];
    for (int i = 0; i < texts.size(); i++) {
      for (int c = 0; c < columns.length; c++) {
        columns[c][i] = texts.get(i)[c];
      }
    }
    return new Batch(kept, columns);
  }

  /** One text a column; empty if this side can have no row of that key. */
  Optional<String[]> texts(RowKey key) {
    String[] texts = new String[types.length];
    for (int i = 0; i < types.length; i++) {
      String text = key.columns().get(i).text();
      int bits = bits(types[i]);
      texts[i] = bits == 0 || isShortInteger(text, bits) ? text : integer(text, bits);
      if (texts[i] == null) {
        return Optional.empty();
      }
    }
    return Optional.of(texts);
  }

  /** Whether values of the type are written without a point. */
  static boolean isInteger(TypeName type) {
    return bits(type) > 0;
  }

  private static int bits(TypeName type) {
    if (!type.builtIn()) {
      return 0;
    }
    return switch (type.name()) {
      case "int2" -> Short.SIZE;
      case "int4" -> Integer.SIZE;
      case "int8" -> Long.SIZE;
      default -> 0;
    };
  }

  /** What needs no second look: nearly all. */
  private static boolean isShortInteger(String text, int bits) {
    int digits = bits == Short.SIZE ? 4 : bits == Integer.SIZE ? 9 : 18;
    int from = text.startsWith("-") ? 1 : 0;
    if (text.length() == from || text.length() - from > digits) {
      return false;
    }
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  /** Null if no integer of so many bits is this number. What is no number, the server refuses. */
  private static String integer(String text, int bits) {
    if (text.equals("NaN") || text.equals("Infinity") || text.equals("-Infinity")) {
      return null;
    }
    if (!NUMBER.matcher(text).matches()) {
      return text;
    }
    BigDecimal value = new BigDecimal(text).stripTrailingZeros();
    if (value.scale() > 0) {
      return null;
    }
    BigInteger whole = value.toBigIntegerExact();
    return whole.bitLength() < bits ? whole.toString() : null;
  }
}
