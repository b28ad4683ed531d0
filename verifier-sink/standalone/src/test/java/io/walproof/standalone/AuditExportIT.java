package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.TableId;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.ObservedRun.Printed;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code audit export --repair-sql} against a run that lost rows, and its script run for real. */
class AuditExportIT {

  private static final String COLUMNS =
      "id text, n int, \"quo\"\"te\" text, amount numeric(10,2), flag boolean, at timestamptz,"
          + " span interval, bytes bytea, tags text[], doc jsonb, fixed char(4),"
          + " serial bigint GENERATED ALWAYS AS IDENTITY,"
          + " twice int GENERATED ALWAYS AS (n * 2) STORED, PRIMARY KEY (id, n)";

  /** What would end a literal, a dollar quote, a comment, or a line. */
  private static final String HOSTILE = "it's $repair$; -- \\ \" \n DROP TABLE x; $repair1$ %s %I";

  private static final String ROWS =
      "SELECT md5(string_agg(CAST(ROW(t.*) AS text), '|' ORDER BY t.id, t.n))"
          + " FROM public.repaired AS t WHERE t.id <> 'later'";

  @TempDir Path dir;

  @Test
  void confirmedFailuresAreRepairedAndNothingElseIsTouched() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.table("repaired", COLUMNS);
    JoinedPair.lose("repaired");
    Map<String, String> settings = ObservedRun.settings(pair, dir, "repaired");
    settings.remove("schema.include.list");
    settings.put("table.include.list", "public.repaired");
    String insert =
        "INSERT INTO public.repaired (id, n, \"quo\"\"te\", amount, flag, at, span, bytes, tags,"
            + " doc, fixed, serial) OVERRIDING SYSTEM VALUE VALUES ";
    String rest =
        ", 12.5, true, '2026-01-02 03:04:05.678+09', '1 mon -2 days', '\\x00ff', '{a,\"b,c\",NULL}',"
            + " '{\"k\": 1}', 'ab', 7)";
    try (ObservedRun run = ObservedRun.start(settings)) {
      for (String id : List.of("different", "moved", "healed", "later", "only")) {
        pair.onTarget(insert + "('" + id + "', 1, 'old'" + rest);
      }
      pair.onTarget(insert + "('identity', 1, 'old'" + rest.replace("7)", "8)"));
      execute(pair.source().connect(ReplicatedPair.DATABASE), insert + "('miss''ing', 1, ?" + rest);
      for (String id : List.of("different", "moved", "healed", "later", "only", "identity")) {
        execute(
            pair.source().connect(ReplicatedPair.DATABASE), insert + "('" + id + "', 1, ?" + rest);
      }
      execute(pair.source().connect(ReplicatedPair.DATABASE), insert + "('deleted', 1, ?" + rest);
      run.await("eight failures", r -> r.unresolved().size() == 8);
      assertThat(run.decisions("repaired"))
          .extracting(Decision::verdict)
          .allMatch(verdict -> verdict instanceof Verdict.Unresolved);
      run.end();
    }
    pair.onSource("DELETE FROM public.repaired WHERE id IN ('deleted', 'only')");
    pair.onTarget("UPDATE public.repaired SET amount = 99 WHERE id = 'moved'");
    execute(
        pair.target().connect(ReplicatedPair.DATABASE),
        "UPDATE public.repaired SET \"quo\"\"te\" = ? WHERE id = 'healed'");
    String before = JoinedPair.ask(pair.target(), ROWS);

    Path script = dir.resolve("repair.sql");
    Printed export = export(script);
    assertThat(export.out()).contains("3 rows to repair", "2 failures that are none any more");
    assertThat(export.out()).contains("3 without a statement", "Nothing was run");
    assertThat(export.status()).isEqualTo(3);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(script)))
        .isEqualTo("rw-------");
    assertThat(JoinedPair.ask(pair.target(), ROWS)).as("nothing was run").isEqualTo(before);
    String text = Files.readString(script);
    assertThat(text.lines())
        .anyMatch(l -> l.contains("left out") && l.contains("id=moved") && l.contains("changed"))
        .anyMatch(l -> l.contains("id=identity") && l.contains("serial is GENERATED ALWAYS"))
        .anyMatch(l -> l.contains("left out") && l.contains("id=deleted"))
        .anyMatch(l -> l.contains("id=only") && l.contains("only the target has the row"))
        .anyMatch(l -> l.contains("left out") && l.contains("id=healed") && l.contains("equal"));
    assertThat(export(script).status()).as("an existing file is refused").isEqualTo(1);

    // An INSERT cannot see that its source row is gone, so that it is refused when it is late.
    Path late = dir.resolve("late.sql");
    assertThat(export(late, "--valid-for", "0s").out()).contains("3 rows to repair");
    for (String transaction : transactions(Files.readString(late))) {
      assertThatThrownBy(() -> run(pair, transaction))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("too long ago");
    }
    assertThat(JoinedPair.ask(pair.target(), ROWS)).as("refused").isEqualTo(before);

    // What happens on the target after the export makes that row's transaction fail, alone.
    pair.onTarget("UPDATE public.repaired SET flag = false WHERE id = 'later'");
    for (String transaction : transactions(text)) {
      if (transaction.contains("id=later")) {
        assertThatThrownBy(() -> run(pair, transaction))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("nothing is repaired");
      } else {
        run(pair, transaction);
        assertThatThrownBy(() -> run(pair, transaction))
            .as("twice")
            .isInstanceOf(SQLException.class);
      }
    }
    String both =
        "SELECT md5(string_agg(CAST(ROW(t.*) AS text), '|' ORDER BY t.id, t.n))"
            + " FROM public.repaired AS t WHERE t.id IN ('miss''ing', 'different')";
    assertThat(JoinedPair.ask(pair.target(), both)).isEqualTo(JoinedPair.ask(pair.source(), both));
    assertThat(
            JoinedPair.ask(
                pair.target(),
                "SELECT \"quo\"\"te\" || flag FROM public.repaired WHERE id = 'later'"))
        .isEqualTo("oldfalse");
    assertThat(JoinedPair.ask(pair.target(), "SELECT count(*) FROM public.repaired"))
        .isEqualTo("7");

    // Proved afterwards: nothing is left of those, and a limit says what it leaves out.
    Printed again = export(dir.resolve("again.sql"), "--limit", "2");
    assertThat(again.out()).contains("beyond --limit 2").contains("0 rows to repair");
    assertThat(again.status()).isEqualTo(3);
  }

  /** What the pipeline does not carry is neither missing on the target nor written to it. */
  @Test
  void nothingIsRepairedThatTheTargetShouldNotHave() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    pair.onBoth(
        "CREATE TABLE apart.scoped (id int PRIMARY KEY, v text, own text DEFAULT 'kept', note text)",
        "CREATE TABLE apart.parent (id int PRIMARY KEY, v text)",
        "CREATE TABLE apart.child (PRIMARY KEY (id)) INHERITS (apart.parent)");
    String publication =
        "CREATE PUBLICATION scoped FOR TABLE apart.scoped (id, v, note) WHERE (id < 100),"
            + " ONLY apart.parent";
    // Nothing runs, so that the rows stay as they are put here.
    String subscription =
        "CREATE SUBSCRIPTION scoped CONNECTION 'host=127.0.0.1' PUBLICATION scoped WITH"
            + " (connect = false, slot_name = 'scoped')";
    pair.onSource(
        publication,
        "SELECT pg_create_logical_replication_slot('scoped', 'pgoutput')",
        "INSERT INTO apart.scoped SELECT i, 'v', 'secret', 'n' FROM unnest('{1,200}'::int[]) AS i",
        "INSERT INTO apart.parent VALUES (1, 'new'), (2, 'new')",
        "INSERT INTO apart.child VALUES (1, 'new')");
    // In one transaction, so that nothing but the table tells the two rows with id 1 apart.
    pair.onTarget(
        subscription,
        "DO 'BEGIN INSERT INTO apart.parent VALUES (1, ''old''); INSERT INTO apart.child VALUES"
            + " (1, ''old''), (2, ''old''); END'");
    Map<String, String> settings = ObservedRun.settings(pair, dir, "scoped");
    settings.put("verify.columns.exclude", "apart.scoped.note");
    settings.put("verify.replay.confirmation", "none");
    ObservedRun.configuration(settings);
    TableId scoped = new TableId("apart", "scoped");
    TableId parent = new TableId("apart", "parent");
    TableId child = new TableId("apart", "child");
    String xmin = JoinedPair.ask(pair.target(), "SELECT xmin FROM ONLY apart.parent");
    try (WrittenAudit audit = new WrittenAudit(dir.resolve("state"))) {
      audit.append(
          new AuditEntry.RunStart(1, "none", List.of(), Map.of(), Optional.empty()),
          unresolved(scoped, "1", Optional.empty()),
          unresolved(scoped, "200", Optional.empty()),
          unresolved(parent, "1", Optional.of(Long.parseLong(xmin))),
          unresolved(parent, "2", Optional.empty()),
          unresolved(child, "1", Optional.of(Long.parseLong(xmin))));
    }
    try (WrittenAudit others = new WrittenAudit(dir.resolve("others"))) {
      Path script = dir.resolve("repair.sql");
      others.append(WrittenAudit.start(), unresolved(scoped, "1", Optional.empty()));
      Printed refused = export(script, "--file", others.file().toString());
      assertThat(refused.status()).as("an audit of other databases").isEqualTo(1);
      assertThat(refused.err()).contains("\"shop\" of system 7001", "configuration leads to");
      assertThat(export(script).err()).contains("does not say of which databases it is");
      assertThat(script).doesNotExist();
      Printed export = export(script, "--accept-unknown-databases");
      String text = Files.readString(script);
      assertThat(export.out()).contains("3 rows to repair", "1 failures that are none any more");
      assertThat(export.out()).contains("1 without a statement");
      assertThat(text.lines())
          .anyMatch(l -> l.contains("scoped id=200") && l.contains("row filter leaves it out"))
          .anyMatch(l -> l.contains("child id=1") && l.contains("leave it out; repair it by hand"));
      assertThat(text).doesNotContain("secret");
      for (String transaction : transactions(text)) {
        run(pair, transaction);
      }
      assertThat(
              JoinedPair.ask(pair.target(), "SELECT string_agg(t::text, ' ') FROM apart.scoped t"))
          .isEqualTo("(1,v,kept,)");
      assertThat(
              JoinedPair.ask(
                  pair.target(),
                  "SELECT string_agg(tableoid::regclass || t::text, ' ' ORDER BY tableoid, id)"
                      + " FROM apart.parent t"))
          .isEqualTo(
              "apart.parent(1,new) apart.parent(2,new) apart.child(1,old) apart.child(2,old)");
    } finally {
      pair.onTarget("ALTER SUBSCRIPTION scoped SET (slot_name = NONE)", "DROP SUBSCRIPTION scoped");
      pair.onSource("SELECT pg_drop_replication_slot('scoped')", "DROP PUBLICATION scoped");
    }
  }

  /** A failure as a run records it, with the target's row as it was judged. */
  private static AuditEntry unresolved(TableId table, String id, Optional<Long> xmin) {
    RowSnapshot here = new RowSnapshot.Present(new RowHash(1, 1), 1);
    Optional<RowSnapshot> there =
        Optional.of(
            xmin.<RowSnapshot>map(version -> new RowSnapshot.Present(new RowHash(2, 2), version))
                .orElse(RowSnapshot.absent()));
    return new Decision(
        AuditEntry.Stratum.CDC,
        table,
        WrittenAudit.key(id),
        xmin.isPresent() ? WrittenAudit.different() : WrittenAudit.missing(),
        List.of(),
        false,
        Optional.of(here),
        there,
        Optional.of(here),
        there,
        Optional.of(here),
        Optional.of(WrittenAudit.BOUNDARY),
        Optional.empty(),
        Optional.empty());
  }

  private Printed export(Path script, String... more) {
    List<String> args =
        new java.util.ArrayList<>(
            List.of(
                "audit",
                "export",
                "--config",
                dir.resolve("walproof.properties").toString(),
                "--repair-sql",
                script.toString()));
    args.addAll(List.of(more));
    return ObservedRun.command(args.toArray(String[]::new));
  }

  /** The transactions, each with its comment. */
  private static List<String> transactions(String text) {
    List<String> parts = List.of(text.split("(?m)(?=^-- (public|apart)\\.)"));
    return parts.subList(1, parts.size());
  }

  private static void run(ReplicatedPair pair, String sql) throws SQLException {
    try (Connection connection = pair.target().connect(ReplicatedPair.DATABASE);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (connection;
        var statement = connection.prepareStatement(sql)) {
      statement.setString(1, HOSTILE);
      statement.executeUpdate();
    }
  }
}
