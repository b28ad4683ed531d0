package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RangeAccess.Content;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every type, every pair of sample values, within and between majors: the verdict is what {@link
 * RowEquality} says PostgreSQL says. Never equal where PostgreSQL has a difference.
 */
class TypeMatrixIT {

  private static final List<Integer> MAJORS = List.of(16, 17, 18);
  private static final Map<Integer, TypeMatrix> SERVERS = new TreeMap<>();
  private static final Map<String, List<TypeSamples.Column>> TABLES =
      Map.of("plain", TypeSamples.plain(), "arrays", TypeSamples.arrays());

  private static final Set<String> ARRAYS_OF =
      Set.of(
          "numeric[]", "float8[]", "bpchar[]", "text[]", "json[]", "numrange[]", "public.pair[]");

  @BeforeAll
  static void start() throws Exception {
    for (int major : MAJORS) {
      SERVERS.put(major, new TypeMatrix(major));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    for (TypeMatrix server : SERVERS.values()) {
      server.close();
    }
  }

  /** A type that a newer major brings fails here until the samples have values of it. */
  @Test
  void everyTypeOfEveryMajorIsCovered() throws Exception {
    for (TypeMatrix server : SERVERS.values()) {
      assertThat(server.typesLeftOut()).as("PostgreSQL " + server.major).isEmpty();
    }
  }

  @Test
  void everyPairIsJudgedAsPostgresJudgesIt() throws Exception {
    List<String> report = new ArrayList<>();
    Set<String> stricter = new TreeSet<>();
    List<String> wrong = new ArrayList<>();
    long pairs = 0;
    long started = System.nanoTime();
    Set<String> refused = new TreeSet<>();
    for (String table : TABLES.keySet()) {
      for (int from : MAJORS) {
        for (int to : targets(table, from)) {
          TypeMatrix there = SERVERS.get(to);
          Map<String, boolean[]> verdicts = verdicts(table, SERVERS.get(from), there);
          for (TypeSamples.Column column : TABLES.get(table)) {
            int equal = 0;
            boolean[] judged = verdicts.get(column.name());
            if (judged == null) {
              refused.add(column.type());
              continue;
            }
            for (Map.Entry<Integer, TypeMatrix.Oracle> pair :
                there.oracle(table, column).entrySet()) {
              boolean verdict = judged[pair.getKey()];
              TypeMatrix.Oracle oracle = pair.getValue();
              pairs++;
              equal += verdict ? 1 : 0;
              if (verdict != expected(column, oracle)
                  || (verdict && Boolean.FALSE.equals(oracle.operator()))) {
                wrong.add(
                    name(column, pair.getKey())
                        + " "
                        + from
                        + " to "
                        + to
                        + ": "
                        + verdict
                        + " "
                        + oracle);
              }
              if (!verdict && Boolean.TRUE.equals(oracle.operator())) {
                stricter.add(column.type());
              }
            }
            if (from == 18 && to == 16) {
              report.add(column.type() + ": " + judged.length + " pairs, " + equal + " equal");
            }
          }
        }
      }
    }
    Path file = Path.of("target", "type-matrix.txt");
    Files.createDirectories(file.getParent());
    report.add(
        0,
        pairs
            + " pairs of values within and between majors, "
            + (System.nanoTime() - started) / 1_000_000
            + " ms");
    report.add(1, "stricter than PostgreSQL's =: " + stricter);
    Files.write(file, report);
    assertThat(wrong).isEmpty();
    assertThat(refused).containsExactly("regoper[]", "regproc[]");
    assertThat(stricter).isEqualTo(stricterByTable());
  }

  /** Every major is source and target, and one is both; arrays are many, and printed alike. */
  private static List<Integer> targets(String table, int from) {
    boolean arrays = table.equals("arrays");
    return switch (from) {
      case 16 -> arrays ? List.of() : List.of(17);
      case 17 -> List.of(18);
      default -> arrays ? List.of(16) : List.of(16, 18);
    };
  }

  private static Set<String> stricterByTable() {
    Set<String> types = new TreeSet<>();
    for (RowEquality.Example example : RowEquality.STRICTER) {
      types.add(example.type());
      types.add(example.type() + "[]");
    }
    return types;
  }

  private static String name(TypeSamples.Column column, int pair) {
    int count = column.values().size();
    return column.values().get(pair / count) + " and " + column.values().get(pair % count);
  }

  private static boolean expected(TypeSamples.Column column, TypeMatrix.Oracle oracle) {
    return TypeSamples.isByValue(column.type()) ? oracle.operator() : oracle.text();
  }

  private static RangeAccess access(TypeMatrix here, TypeMatrix there, RowSettings settings) {
    return RowAccesses.createRanges(here.db.source, there.db.target, settings, Time.system());
  }

  private static RangePlan plan(RangeAccess access, String table) {
    RangeAccess.Opening opening =
        access.open(new TableId("public", table), TwoDatabases.soon(), new Cancellation());
    assertThat(opening).isInstanceOf(RangeAccess.Opening.Ready.class);
    return ((RangeAccess.Opening.Ready) opening).plan();
  }

  /** By column, whether each row's two values are equal: by lookup, and the copied rows agree. */
  private static Map<String, boolean[]> verdicts(String table, TypeMatrix here, TypeMatrix there) {
    RangeAccess access = access(here, there, RowSettings.defaults());
    RangePlan plan = plan(access, table);
    RowsChunk source = read(access, plan, Side.SOURCE, Content.ROWS);
    RowsChunk target = read(access, plan, Side.TARGET, Content.ROWS);
    List<RowKey> keys = IntStream.range(0, source.size()).mapToObj(source::key).toList();
    List<KeyRead> fromSource = looked(access, plan, Side.SOURCE, keys);
    List<KeyRead> fromTarget = looked(access, plan, Side.TARGET, keys);
    Map<String, boolean[]> verdicts = new HashMap<>();
    TABLES.get(table).stream()
        .filter(c -> plan.table().comparedColumns().contains(c.name()))
        .forEach(c -> verdicts.put(c.name(), new boolean[keys.size()]));
    for (int i = 0; i < keys.size(); i++) {
      KeyRead.Found one = (KeyRead.Found) fromSource.get(i);
      KeyRead.Found other = (KeyRead.Found) fromTarget.get(i);
      assertThat(source.high(i)).isEqualTo(one.hash().high());
      assertThat(source.low(i)).isEqualTo(one.hash().low());
      assertThat(target.high(i)).isEqualTo(other.hash().high());
      assertThat(target.low(i)).isEqualTo(other.hash().low());
      int row = Integer.parseInt(keys.get(i).texts().get(0));
      List<String> differing = plan.table().differingColumns(one, other);
      assertThat(differing.isEmpty()).isEqualTo(one.hash().equals(other.hash()));
      verdicts.forEach((column, equal) -> equal[row] = !differing.contains(column));
    }
    return verdicts;
  }

  private static RowsChunk read(RangeAccess access, RangePlan plan, Side side, Content content) {
    RangeAccess.Read read =
        access.read(
            side, plan, KeyRange.ALL, 10_000, content, TwoDatabases.soon(), new Cancellation());
    assertThat(read).isInstanceOf(RangeAccess.Read.Rows.class);
    return ((RangeAccess.Read.Rows) read).chunk();
  }

  private static List<KeyRead> looked(
      RangeAccess access, RangePlan plan, Side side, List<RowKey> keys) {
    return TwoDatabases.rows(
        access.lookup(side, plan, keys, TwoDatabases.soon(), new Cancellation()));
  }

  /**
   * What digests are made of, column by column: alike only where the rows are equal, so that a
   * digest never hides a difference; and alike for all equal rows but those made of parts.
   */
  @Test
  void digestsHideNoDifference() throws Exception {
    TypeMatrix here = SERVERS.get(16);
    TypeMatrix there = SERVERS.get(18);
    List<String> wrong = new ArrayList<>();
    for (String table : TABLES.keySet()) {
      Map<String, boolean[]> verdicts = verdicts(table, here, there);
      for (TypeSamples.Column column : TABLES.get(table)) {
        boolean many = table.equals("arrays") && !ARRAYS_OF.contains(column.type());
        if (!verdicts.containsKey(column.name()) || many) {
          // Not compared, or printed as other arrays are.
          continue;
        }
        RangeAccess access =
            access(
                here,
                there,
                RowSettings.defaults()
                    .publishing(
                        Map.of(new TableId("public", table), Set.of("id", column.name())),
                        Map.of()));
        RangePlan plan = plan(access, table);
        RowsChunk source = read(access, plan, Side.SOURCE, Content.LINES);
        RowsChunk target = read(access, plan, Side.TARGET, Content.LINES);
        List<String> canonicalHere = canonical(here, plan, Side.SOURCE, table, column);
        List<String> canonicalThere = canonical(there, plan, Side.TARGET, table, column);
        boolean parts = plan.table().rules().get(column.name()).equals("by_parts");
        boolean[] equal = verdicts.get(column.name());
        for (int i = 0; i < column.values().size() * column.values().size(); i++) {
          int row = Integer.parseInt(source.key(i).texts().get(0));
          boolean client = source.high(i) == target.high(i) && source.low(i) == target.low(i);
          boolean server = canonicalHere.get(row).equals(canonicalThere.get(row));
          if ((client || server) && !equal[row]) {
            wrong.add(name(column, row) + " look alike: " + client + " " + server);
          }
          if (!parts && equal[row] && !(client && server)) {
            wrong.add(name(column, row) + " do not look alike: " + client + " " + server);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** What the server's digest hashes, by row. */
  private static List<String> canonical(
      TypeMatrix server, RangePlan plan, Side side, String table, TypeSamples.Column column)
      throws Exception {
    int place = plan.table().comparedColumns().indexOf(column.name());
    String expression =
        plan.on(side).side().forms().get(place).rule().canonicalSql("t." + column.name());
    try (Connection connection = server.db.server.connect(TwoDatabases.name(side));
        Statement statement = connection.createStatement()) {
      statement.execute(TypeSamples.PINNED);
      List<String> texts = new ArrayList<>();
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT CAST(ROW("
                  + expression
                  + ") AS text) FROM public."
                  + table
                  + " AS t ORDER BY id")) {
        while (rows.next()) {
          texts.add(rows.getString(1));
        }
      }
      return texts;
    }
  }

  /** Each rule's own two examples in the README. */
  @Test
  void theExamplesAreTrue() throws Exception {
    List<RowEquality.Same> rules = new ArrayList<>(RowEquality.SAME);
    rules.add(RowEquality.PARTS);
    rules.add(RowEquality.OTHERS);
    TwoDatabases db = SERVERS.get(18).db;
    for (RowEquality.Same rule : rules) {
      assertThat(equal(db, rule.equal())).as(rule.label()).isTrue();
      assertThat(equal(db, rule.different())).as(rule.label()).isFalse();
    }
    for (RowEquality.Example example : RowEquality.STRICTER) {
      assertThat(equal(db, example)).as(example.type()).isFalse();
    }
  }

  private static boolean equal(TwoDatabases db, RowEquality.Example example) throws Exception {
    db.onBoth(
        "DROP TABLE IF EXISTS public.example",
        "CREATE TABLE public.example (id int PRIMARY KEY, v " + example.type() + ")");
    db.onSource("INSERT INTO public.example VALUES (1, '" + example.one() + "')");
    db.onTarget("INSERT INTO public.example VALUES (1, '" + example.other() + "')");
    return db.differing(db.plan("public.example", "id"), "1").isEmpty();
  }
}
