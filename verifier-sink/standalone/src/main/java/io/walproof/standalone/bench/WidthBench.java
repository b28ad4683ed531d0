package io.walproof.standalone.bench;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.RangeOutcome;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Range checks of a narrow and of a wide table beside bare copies of both sides, in turns. */
final class WidthBench {

  /**
   * A table of a width.
   *
   * @param columns beside the key: integers, numerics and texts in turn
   * @param overBare what a check may cost over bare copies
   */
  private record Width(int columns, double overBare) {}

  private static final List<Width> WIDTHS = List.of(new Width(1, 2), new Width(39, 1.75));
  private static final int CHUNK_ROWS = 100_000;

  private final Time time;
  private final Progress progress;

  WidthBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /** Measures with so many rows, of the wide table a fifth. */
  List<Finding> run(TwoSides sides, int rows, int rounds)
      throws IOException, SQLException, InterruptedException {
    List<Finding> findings = new ArrayList<>();
    for (Width width : WIDTHS) {
      findings.add(run(sides, width, width.columns() > 8 ? Math.max(1, rows / 5) : rows, rounds));
    }
    return findings;
  }

  private Finding run(TwoSides sides, Width width, int rows, int rounds)
      throws IOException, SQLException, InterruptedException {
    TableId table = new TableId("public", "bench_of_" + (width.columns() + 1));
    sides.onBoth(create(table, width), fill(table, width, rows), "VACUUM (ANALYZE) " + table.sql());
    List<Double> bare = new ArrayList<>();
    List<Double> check = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      double copies = bare(sides, table, rows);
      RangeRun run = RangeRun.of(sides, Claim.whole(table), CHUNK_ROWS, time);
      if (run.result().outcome() != RangeOutcome.PROVED || run.result().progress().rows() != rows) {
        throw new IllegalStateException("equal tables were not proved: " + run.result());
      }
      if (round > 0) {
        bare.add(copies);
        check.add(run.seconds());
        progress.say(
            "range: %d columns: bare copies %.2f s, range check %.2f s",
            width.columns() + 1, copies, run.seconds());
      }
    }
    sides.onBoth("DROP TABLE " + table.sql());
    return Finding.below(
        Bench.RANGE,
        "range check over bare copies, " + (width.columns() + 1) + " columns",
        width.overBare(),
        new Sample("check_seconds", check),
        new Sample("bare_seconds", bare));
  }

  private double bare(TwoSides sides, TableId table, int rows)
      throws SQLException, InterruptedException {
    try (Connection source = sides.source().connect(ReplicatedPair.DATABASE);
        Connection target = sides.target().connect(ReplicatedPair.DATABASE)) {
      long began = time.nanoTime();
      if (BareCopies.copy(source, target, table) != rows) {
        throw new IllegalStateException("the bare copies did not see every row");
      }
      return (time.nanoTime() - began) / 1e9;
    }
  }

  private static String create(TableId table, Width width) {
    return "CREATE TABLE "
        + table.sql()
        + " (id bigint PRIMARY KEY, "
        + columns(width, List.of("a%1$d integer", "a%1$d numeric(12,2)", "a%1$d text"))
        + ")";
  }

  private static String fill(TableId table, Width width, int rows) {
    return "INSERT INTO "
        + table.sql()
        + " SELECT i, "
        + columns(width, List.of("i %% 1000 + %1$d", "i / 100.0 + %1$d", "'value %1$d of ' || i"))
        + " FROM pg_catalog.generate_series(1, "
        + rows
        + ") AS i";
  }

  private static String columns(Width width, List<String> kinds) {
    return IntStream.range(0, width.columns())
        .mapToObj(column -> String.format(kinds.get(column % kinds.size()), column))
        .collect(Collectors.joining(", "));
  }
}
