package io.walproof.verifier.range;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.TableId;
import io.walproof.verifier.row.KeyRange;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What the offset of a Debezium PostgreSQL connector claims to have delivered. An incremental
 * snapshot's cursor claims the rows of its first table up to a key, inclusive, and, of the tables
 * that the snapshot copies, all that it does not list any more. Which these are the offset does not
 * tell: a table that was never copied is not listed either, so that whoever knows has to say it.
 * Without a cursor an offset says that the initial snapshot is complete, or not yet, only until the
 * first change is streamed. After that it looks the same whether anything was ever copied ({@code
 * snapshot.mode=no_data}), and again whoever knows has to say so.
 */
public final class OffsetClaims {

  /** Why a table is left of which nothing is claimed. */
  public static final String NOT_CLAIMED = "not_claimed";

  /** Why a table is left of which a cursor claims a part, and not to be told which. */
  static final String CURSOR_KEY = "cursor_key";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String COLLECTIONS = "incremental_snapshot_collections";
  private static final String KEY = "incremental_snapshot_primary_key";
  private static final String SNAPSHOT = "snapshot";
  private static final String COMPLETED = "snapshot_completed";
  private static final String LSN = "lsn";

  private OffsetClaims() {}

  /**
   * What is known beside the offset.
   *
   * @param initialSnapshot whether the connector's initial snapshot is known to have copied all of
   *     its tables
   * @param copied tables that incremental snapshots are known to copy: claimed whole where a cursor
   *     does not list them
   * @param zone the time zone of the connector's JVM, if known: dates in a cursor depend on it
   */
  public record Known(boolean initialSnapshot, Predicate<TableId> copied, Optional<ZoneId> zone) {
    /** The offset is all there is. */
    public static final Known NOTHING = new Known(false, any -> false, Optional.empty());

    /** The same where other tables are known to be copied. */
    public Known copying(Predicate<TableId> others) {
      return new Known(initialSnapshot, copied.or(others), zone);
    }
  }

  /**
   * What the offset says of the tables.
   *
   * @param claims to be checked
   * @param left tables that are not judged, because the offset does not tell what of them it
   *     claims, each with the reason; what a cursor still lists is in neither
   */
  public record Answer(List<Claim> claims, List<RangeResult> left) {
    /** Copies. */
    public Answer {
      claims = List.copyOf(claims);
      left = List.copyOf(left);
    }
  }

  /** A table of the cursor's list. */
  private record Listed(String id, boolean conditional, boolean surrogate) {}

  /**
   * The claims.
   *
   * @param offset the offset's entries
   * @param carried the tables that the pipeline carries
   * @param known what the offset does not show
   * @throws RangeException if the offset is none, claims nothing yet, or its cursor cannot be
   *     related to the tables
   */
  public static Answer of(Map<String, ?> offset, Set<TableId> carried, Known known) {
    List<Listed> listed =
        offset.get(COLLECTIONS) == null ? List.of() : listed(offset.get(COLLECTIONS).toString());
    // With nothing left to do a cursor tells no more than an offset without one.
    if (!listed.isEmpty()) {
      return cursor(listed, offset.get(KEY), carried, known);
    }
    if (!offset.containsKey(LSN)) {
      throw new RangeException(
          "the offset is none of a Debezium PostgreSQL connector: it has no lsn");
    }
    boolean completed = Boolean.parseBoolean(String.valueOf(offset.get(COMPLETED)));
    if (offset.containsKey(SNAPSHOT) && !completed) {
      throw new RangeException(
          "the offset is of an initial snapshot that is not complete; it begins anew after a stop"
              + " and claims nothing");
    }
    if (!completed && !known.initialSnapshot()) {
      throw new RangeException(
          "the offset does not show that anything was copied: a connector that streams stores the"
              + " same with snapshot.mode=no_data as after a complete snapshot; if its initial"
              + " snapshot copied all of its tables, say so with --claim-initial-snapshot, else"
              + " name tables with --table");
    }
    return new Answer(
        carried.stream()
            .sorted()
            .map(table -> new Claim(table, KeyRange.ALL, Claim.Origin.SNAPSHOT_COMPLETED))
            .toList(),
        List.of());
  }

  private static Answer cursor(List<Listed> listed, Object key, Set<TableId> carried, Known known) {
    Set<TableId> remaining = new HashSet<>();
    for (Listed entry : listed) {
      find(entry.id(), carried).ifPresent(remaining::add);
    }
    Listed first = listed.get(0);
    TableId current =
        find(first.id(), carried)
            .orElseThrow(
                () ->
                    new RangeException(
                        "the cursor's current table "
                            + first.id()
                            + " is none that the pipeline carries, so that nothing follows for"
                            + " the others; name tables without --claim-offsets, or, if it is a"
                            + " partition, the pipeline's publication with"
                            + " verify.pipeline.publication"));
    List<Claim> claims = new ArrayList<>();
    List<RangeResult> left = new ArrayList<>();
    try {
      through(current, first, key, known).ifPresent(claims::add);
    } catch (RangeException e) {
      // What is done does not depend on what is under way.
      left.add(unread(current, RangeOutcome.INCOMPLETE, CURSOR_KEY, e.getMessage()));
    }
    for (TableId table : new TreeSet<>(carried)) {
      if (!remaining.contains(table)) {
        if (known.initialSnapshot() || known.copied().test(table)) {
          claims.add(new Claim(table, KeyRange.ALL, Claim.Origin.SNAPSHOT_CURSOR));
        } else {
          left.add(
              unread(
                  table,
                  RangeOutcome.SKIPPED,
                  NOT_CLAIMED,
                  "the cursor does not list it, and the offset does not tell whether that is because"
                      + " it is done or because it was never copied; if it was copied, name it with"
                      + " --table or verify.range.claim.tables"));
        }
      }
    }
    return new Answer(claims, left);
  }

  /** The claim of the current table; empty before its first key. */
  private static Optional<Claim> through(TableId current, Listed listed, Object key, Known known) {
    if (listed.conditional() || listed.surrogate()) {
      throw new RangeException(
          "the cursor goes through "
              + current
              + (listed.conditional()
                  ? " with an additional condition, so that not all rows up to its key are"
                      + " claimed"
                  : " by a surrogate key, whose order is not the table's")
              + "; name it without --claim-offsets");
    }
    return Optional.ofNullable(key)
        .flatMap(hex -> CursorKey.decode(hex.toString(), known.zone()))
        .map(last -> new Claim(current, KeyRange.ALL.through(last), Claim.Origin.SNAPSHOT_CURSOR));
  }

  private static RangeResult unread(
      TableId table, RangeOutcome outcome, String reason, String detail) {
    return RangeResult.unread(
        new Claim(table, KeyRange.ALL, Claim.Origin.SNAPSHOT_CURSOR),
        outcome,
        Optional.of(reason),
        Optional.of(detail),
        Duration.ZERO);
  }

  /** Ids are not quoted: two tables whose names hold dots may share one. */
  private static Optional<TableId> find(String id, Set<TableId> carried) {
    List<TableId> matching =
        carried.stream().filter(table -> id.equals(table.schema() + '.' + table.name())).toList();
    if (matching.size() > 1) {
      throw new RangeException(
          "the cursor's table " + id + " may be any of " + matching + "; name it with --table");
    }
    return matching.stream().findFirst();
  }

  private static List<Listed> listed(String text) {
    try {
      JsonNode array = JSON.readTree(text);
      if (!array.isArray()) {
        throw malformed();
      }
      List<Listed> listed = new ArrayList<>();
      for (JsonNode entry : array) {
        JsonNode id = entry.path(COLLECTIONS + "_id");
        if (!id.isTextual()) {
          throw malformed();
        }
        listed.add(
            new Listed(
                id.textValue(),
                !entry.path(COLLECTIONS + "_additional_condition").asText("").isEmpty(),
                !entry.path(COLLECTIONS + "_surrogate_key").asText("").isEmpty()));
      }
      return listed;
    } catch (JsonProcessingException e) {
      RangeException malformed = malformed();
      malformed.addSuppressed(e);
      throw malformed;
    }
  }

  private static RangeException malformed() {
    return new RangeException("the offset's " + COLLECTIONS + " is no list of tables");
  }
}
