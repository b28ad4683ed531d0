package io.walproof.connector.drift;

import io.walproof.connector.schema.Diversion;
import io.walproof.contract.Lsn;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The shapes that an operator accepts ({@code drift.accept}): {@code table=hash} or {@code
 * table=hash@LSN} with commas between, names quoted where SQL needs it. A table may be listed with
 * several hashes, as the setting grows with each acceptance. Immutable.
 *
 * @param entries in the order in which they are listed
 */
public record AcceptedShapes(List<Entry> entries) {

  /** Nothing is accepted. */
  public static final AcceptedShapes NONE = new AcceptedShapes(List.of());

  /**
   * One accepted shape.
   *
   * @param table the table
   * @param hash the shape
   * @param at the LSN of the change that brought it; where it is given, that one time is meant
   */
  public record Entry(TableId table, ShapeHash hash, Optional<Lsn> at) {

    /**
     * Whether this accepts the diversion: it names the shape that is awaited, and was written for
     * this time, either by the LSN or because it was not there before.
     */
    boolean accepts(Diversion diversion) {
      return hash.equals(diversion.awaited())
          && at.map(lsn -> lsn.equals(diversion.since())).orElse(!diversion.listed());
    }
  }

  /** Copies the list. */
  public AcceptedShapes {
    entries = List.copyOf(entries);
  }

  /**
   * Reads the setting.
   *
   * @throws IllegalArgumentException saying which entry is wrong, and how; it quotes no value
   */
  public static AcceptedShapes parse(String text) {
    List<Entry> entries = new ArrayList<>();
    int number = 0;
    for (String part : SqlIdentifier.split(text, ',')) {
      if (!part.isEmpty()) {
        number++;
        entries.add(entry(part, number));
      }
    }
    return new AcceptedShapes(entries);
  }

  /** What to write to accept a diversion. */
  public static String text(TableId table, Diversion diversion) {
    return text(table, diversion.awaited(), diversion.since());
  }

  static String text(TableId table, ShapeHash hash, Lsn at) {
    return table.display() + "=" + hash.hex() + "@" + at;
  }

  /** The entries of both. */
  public AcceptedShapes and(AcceptedShapes others) {
    List<Entry> all = new ArrayList<>(entries);
    all.addAll(others.entries);
    return new AcceptedShapes(all);
  }

  /** Whether the shape is listed for whenever it comes, which an entry with an LSN is not. */
  public boolean lists(TableId table, ShapeHash hash) {
    return entries.stream()
        .anyMatch(
            entry -> entry.table.equals(table) && entry.hash.equals(hash) && entry.at.isEmpty());
  }

  private static Entry entry(String text, int number) {
    // Neither a hash nor an LSN holds one.
    int equals = text.lastIndexOf('=');
    if (equals < 0) {
      throw wrong(number, "has no '='");
    }
    String shape = text.substring(equals + 1).strip();
    int at = shape.indexOf('@');
    return new Entry(
        table(text.substring(0, equals).strip(), number),
        hash(at < 0 ? shape : shape.substring(0, at), number),
        at < 0 ? Optional.empty() : Optional.of(lsn(shape.substring(at + 1), number)));
  }

  private static TableId table(String name, int number) {
    try {
      return TableId.parse(name);
    } catch (IllegalArgumentException e) {
      throw wrong(number, "names no table");
    }
  }

  private static ShapeHash hash(String hex, int number) {
    try {
      return new ShapeHash(hex.strip());
    } catch (IllegalArgumentException e) {
      throw wrong(number, "has no hash of 32 lower-case hex digits after '='");
    }
  }

  private static Lsn lsn(String text, int number) {
    try {
      return Lsn.parse(text);
    } catch (IllegalArgumentException e) {
      throw wrong(number, "has no LSN such as 0/16B3748 after '@'");
    }
  }

  private static IllegalArgumentException wrong(int number, String how) {
    return new IllegalArgumentException(
        "must list table=hash or table=hash@LSN with commas between, such as"
            + " public.orders=0123456789abcdef0123456789abcdef, names in double quotes where SQL"
            + " needs them; entry "
            + number
            + " "
            + how);
  }
}
