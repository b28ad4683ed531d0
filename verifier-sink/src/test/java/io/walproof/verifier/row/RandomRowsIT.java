package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RangeAccess.Content;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.postgresql.PGConnection;

/** 100,000 random pairs of rows of random tables: Walproof and PostgreSQL agree on every one. */
class RandomRowsIT {

  private static final int ROWS = 10_000;

  private static TwoDatabases db;

  @BeforeContainer
  static void start() throws Exception {
    db = new TwoDatabases(18);
    db.onBoth(
        "CREATE DOMAIN public.price AS numeric",
        "CREATE TYPE public.pair AS (n public.price, t text, f float8)");
  }

  @AfterContainer
  static void stop() throws Exception {
    db.close();
  }

  @Property(tries = 10, shrinking = ShrinkingMode.OFF)
  void everyRowIsJudgedAsPostgresJudgesIt(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    List<RandomValues> columns = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      RandomValues[] all = RandomValues.values();
      columns.add(all[random.nextInt(all.length)]);
    }
    load(columns, random);
    RangeAccess access =
        RowAccesses.createRanges(db.source, db.target, RowSettings.defaults(), Time.system());
    RangePlan plan =
        ((RangeAccess.Opening.Ready)
                access.open(new TableId("public", "t"), TwoDatabases.soon(), new Cancellation()))
            .plan();
    RowsChunk source = read(access, plan, Side.SOURCE);
    RowsChunk target = read(access, plan, Side.TARGET);
    assertThat(source.size()).isEqualTo(ROWS);
    assertThat(target.size()).isEqualTo(ROWS);
    boolean[] expected = oracle(columns);
    List<Integer> wrong = new ArrayList<>();
    int equal = 0;
    for (int i = 0; i < ROWS; i++) {
      int id = Integer.parseInt(source.keyTexts(i).get(0));
      boolean verdict = source.high(i) == target.high(i) && source.low(i) == target.low(i);
      equal += verdict ? 1 : 0;
      if (verdict != expected[id]) {
        wrong.add(id);
      }
    }
    assertThat(wrong).as(columns.toString()).isEmpty();
    // Neither answer is the only one.
    assertThat(equal).isBetween(ROWS / 100, ROWS - ROWS / 100);
  }

  private static void load(List<RandomValues> columns, Random random) throws Exception {
    StringBuilder here = new StringBuilder();
    StringBuilder there = new StringBuilder();
    for (int id = 0; id < ROWS; id++) {
      here.append(id);
      there.append(id);
      for (RandomValues column : columns) {
        RandomValues.Pair pair = column.pair(random);
        here.append('\t').append(copied(pair.one()));
        there.append('\t').append(copied(pair.other()));
      }
      here.append('\n');
      there.append('\n');
    }
    copy(Side.SOURCE, "t", columns, here);
    copy(Side.TARGET, "t", columns, there);
    copy(Side.TARGET, "source_t", columns, here);
  }

  private static String copied(String value) {
    return value == null
        ? "\\N"
        : value
            .replace("\\", "\\\\")
            .replace("\t", "\\t")
            .replace("\n", "\\n")
            .replace("\r", "\\r");
  }

  private static void copy(Side side, String table, List<RandomValues> columns, CharSequence rows)
      throws Exception {
    try (Connection connection = db.server.connect(TwoDatabases.name(side));
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS public." + table);
      statement.execute(
          IntStream.range(0, columns.size())
              .mapToObj(i -> "c" + i + " " + columns.get(i).type())
              .collect(
                  Collectors.joining(
                      ", ", "CREATE TABLE public." + table + " (id int PRIMARY KEY, ", ")")));
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("COPY public." + table + " FROM STDIN", new StringReader(rows.toString()));
    }
  }

  /** By id: whether PostgreSQL calls all columns equal, by {@code =} or by its text. */
  private static boolean[] oracle(List<RandomValues> columns) throws Exception {
    String equal =
        IntStream.range(0, columns.size())
            .mapToObj(
                i ->
                    columns.get(i).judge() == RowEquality.Judge.OPERATOR
                        ? "a.c" + i + " IS NOT DISTINCT FROM b.c" + i
                        : "CAST(ROW(a.c"
                            + i
                            + ") AS text) COLLATE \"C\" = CAST(ROW(b.c"
                            + i
                            + ") AS text)")
            .collect(Collectors.joining(" AND "));
    boolean[] expected = new boolean[ROWS];
    try (Connection connection = db.server.connect("there");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT a.id, "
                    + equal
                    + " FROM public.source_t AS a JOIN public.t AS b ON a.id = b.id")) {
      while (rows.next()) {
        expected[rows.getInt(1)] = rows.getBoolean(2);
      }
    }
    return expected;
  }

  private static RowsChunk read(RangeAccess access, RangePlan plan, Side side) {
    RangeAccess.Read read =
        access.read(
            side,
            plan,
            KeyRange.ALL,
            ROWS + 1,
            Content.ROWS,
            TwoDatabases.soon(),
            new Cancellation());
    assertThat(read).isInstanceOf(RangeAccess.Read.Rows.class);
    return ((RangeAccess.Read.Rows) read).chunk();
  }
}
