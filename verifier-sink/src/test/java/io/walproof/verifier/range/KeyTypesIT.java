package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.row.TypeSamples;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every type that can be a primary key, as one: keys that the two sides write differently are one
 * key, and each fault that was planted is found by digests made here and by the servers.
 */
class KeyTypesIT {

  /** They name functions and operators too briefly to look them up. */
  private static final Set<String> REFUSED = Set.of("regproc", "regoper");

  @TempDir private static Path ledgers;
  private static RangeFixture db;

  @BeforeAll
  static void start() throws Exception {
    db = new RangeFixture(ledgers);
    db.onBoth(TypeSamples.DEFINITIONS.toArray(String[]::new));
  }

  @AfterAll
  static void stop() throws Exception {
    db.close();
  }

  /**
   * What was planted in one table.
   *
   * @param different keys that must be reported as different
   * @param missing keys that must be reported as missing
   * @param targetOnly keys that only the target has
   */
  private record Planted(int different, int missing, int targetOnly) {}

  @Test
  void everyKeyTypeIsFoundAndEachFaultIsNamed() throws Exception {
    Map<String, Planted> planted = new LinkedHashMap<>();
    Set<String> noKey = new TreeSet<>();
    List<TypeSamples.Column> columns = new ArrayList<>(TypeSamples.plain());
    TypeSamples.arrays().stream()
        .filter(c -> Set.of("numeric[]", "text[]", "bpchar[]", "float8[]").contains(c.type()))
        .forEach(columns::add);
    try (Connection one = db.server.connect(RangeFixture.HERE);
        Connection other = db.server.connect(RangeFixture.THERE);
        Statement source = one.createStatement();
        Statement target = other.createStatement()) {
      source.execute(TypeSamples.PINNED);
      target.execute(TypeSamples.PINNED);
      for (TypeSamples.Column column : columns) {
        String table = "public.k" + planted.size();
        String create = "CREATE TABLE " + table + " (k " + column.type() + " PRIMARY KEY, v int)";
        try {
          source.execute(create);
        } catch (SQLException e) {
          // Undefined object: no operator class. Only that makes a type none for keys.
          assertThat(e.getSQLState()).as(column.type() + " " + e.getMessage()).isEqualTo("42704");
          noKey.add(column.type());
          continue;
        }
        target.execute(create);
        planted.put(table + " " + column.type(), plant(source, target, table, column));
      }
    }
    assertThat(noKey)
        .containsExactlyInAnyOrder(
            "json",
            "jsonpath",
            "xml",
            "point",
            "line",
            "lseg",
            "box",
            "path",
            "polygon",
            "circle",
            "xid",
            "cid",
            "pg_snapshot",
            "txid_snapshot",
            "aclitem",
            "refcursor",
            "public.lquery",
            "public.ltxtquery");
    List<Claim> claims =
        planted.keySet().stream()
            .map(k -> RangeFixture.whole(k.substring(0, k.indexOf(' '))))
            .toList();
    for (DigestPlace place : List.of(DigestPlace.CLIENT, DigestPlace.SERVER)) {
      List<RangeResult> results =
          db.check(RangeFixture.limits(3, place, 1.0), claims, new Cancellation());
      List<String> names = List.copyOf(planted.keySet());
      List<String> wrong = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        RangeResult result = results.get(i);
        Planted expected = planted.get(names.get(i));
        String type = names.get(i).substring(names.get(i).indexOf(' ') + 1);
        boolean right =
            REFUSED.contains(type)
                ? result.outcome() == RangeOutcome.INCOMPLETE && result.reason().isPresent()
                : found(result).equals(expected);
        if (!right) {
          wrong.add(
              names.get(i)
                  + " "
                  + place
                  + ": "
                  + expected
                  + ", but "
                  + found(result)
                  + ' '
                  + result.outcome()
                  + ' '
                  + result.reason()
                  + result.detail()
                  + result.keys().byOutcome());
        }
      }
      assertThat(wrong).isEmpty();
    }
  }

  private static Planted found(RangeResult result) {
    return new Planted(
        RangeFixture.keys(result, "unresolved_different").size(),
        RangeFixture.keys(result, "unresolved_missing").size(),
        RangeFixture.targetOnly(result).size());
  }

  /**
   * Fills both sides with one value of each group of equal ones: the source with the first, the
   * target with the last. Then changes one row, deletes one there and one here.
   */
  private static Planted plant(
      Statement source, Statement target, String table, TypeSamples.Column column)
      throws SQLException {
    List<String> here = new ArrayList<>();
    List<String> there = new ArrayList<>();
    List<Boolean> otherwise = new ArrayList<>();
    List<String> values = column.values().subList(0, column.values().size() - 1);
    source.execute("CREATE TEMP TABLE v (i int, k " + column.type() + ")");
    for (int i = 0; i < values.size(); i++) {
      source.addBatch("INSERT INTO pg_temp.v VALUES (" + i + ", " + values.get(i) + ")");
    }
    source.executeBatch();
    try (ResultSet rows =
        source.executeQuery(
            "SELECT one.i, other.i, CAST(ROW(one.k) AS text) <> CAST(ROW(other.k) AS text)"
                + " FROM (SELECT min(i) AS first, max(i) AS last FROM pg_temp.v GROUP BY k) AS g"
                + " JOIN pg_temp.v AS one ON one.i = g.first"
                + " JOIN pg_temp.v AS other ON other.i = g.last ORDER BY one.i")) {
      while (rows.next()) {
        here.add(values.get(rows.getInt(1)));
        there.add(values.get(rows.getInt(2)));
        otherwise.add(rows.getBoolean(3) && !TypeSamples.isByValue(column.type()));
      }
    }
    source.execute("DROP TABLE pg_temp.v");
    int size = here.size();
    int different = 0;
    for (int i = 0; i < size; i++) {
      boolean changed = i == 0;
      boolean missing = i == 1;
      boolean targetOnly = i == 2;
      if (!targetOnly) {
        source.addBatch("INSERT INTO " + table + " VALUES (" + here.get(i) + ", 0)");
      }
      if (!missing) {
        target.addBatch(
            "INSERT INTO " + table + " VALUES (" + there.get(i) + ", " + (changed ? 1 : 0) + ")");
      }
      different += changed || (otherwise.get(i) && !missing && !targetOnly) ? 1 : 0;
    }
    source.executeBatch();
    target.executeBatch();
    return new Planted(different, size > 1 ? 1 : 0, size > 2 ? 1 : 0);
  }
}
