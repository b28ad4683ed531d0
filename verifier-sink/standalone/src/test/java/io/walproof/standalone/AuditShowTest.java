package io.walproof.standalone;

import static io.walproof.standalone.WrittenAudit.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.AuditType;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code audit show}: by time, following, and the story of one key. */
class AuditShowTest {

  private static final TableId ITEMS = new TableId("public", "items");

  @TempDir Path dir;

  private String[] show(String... more) {
    List<String> args =
        new ArrayList<>(List.of("audit", "show", "--state-dir", dir.resolve("state").toString()));
    args.addAll(List.of(more));
    return args.toArray(String[]::new);
  }

  private WrittenAudit audit() {
    return new WrittenAudit(dir.resolve("state"));
  }

  @Test
  void recordsOfATimeAreShown() {
    try (WrittenAudit audit = audit()) {
      audit.append(WrittenAudit.start());
      for (String id : List.of("1", "2", "3")) {
        audit
            .pass(Duration.ofMinutes(1))
            .append(WrittenAudit.decided(ORDERS, id, WrittenAudit.missing()));
      }
    }
    assertThat(ObservedRun.command(show("--since", "2026-01-01T00:02:00Z")).out().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("id=2") || line.contains("id=3"));
    assertThat(ObservedRun.command(show("--until", "2026-01-01T00:02:00Z")).out().lines())
        .as("the end does not belong to it")
        .hasSize(2)
        .anyMatch(line -> line.contains("run_start"))
        .anyMatch(line -> line.contains("id=1"));
    assertThat(ObservedRun.command(show("--since", "1h")).err()).contains("No record matches");
    assertThat(ObservedRun.command(show("--since", "yesterday")).err()).contains("30m or 2h");
  }

  @Test
  void aGrowingFileIsFollowed() throws Exception {
    StringWriter out = new StringWriter();
    try (WrittenAudit audit = audit()) {
      audit.append(WrittenAudit.start(), WrittenAudit.observed(ORDERS, "1"));
      Thread following =
          new Thread(
              () ->
                  WalproofCommand.run(
                      new PrintWriter(out, true),
                      new PrintWriter(new StringWriter()),
                      show("--follow", "--type", "decision", "--outcome", "unresolved")));
      following.start();
      for (int i : IntStream.rangeClosed(1, 3).toArray()) {
        audit.append(
            WrittenAudit.decided(ORDERS, "k" + i, WrittenAudit.different()),
            WrittenAudit.decided(ORDERS, "c" + i, new Verdict.Converged()));
        await()
            .atMost(Operated.PATIENCE)
            .until(() -> out.toString().contains("id=k" + i + "  unresolved_different"));
      }
      assertThat(following.isAlive()).isTrue();
      following.interrupt();
      following.join(Operated.PATIENCE.toMillis());
      assertThat(following.isAlive()).isFalse();
    }
    assertThat(out.toString().lines()).hasSize(3);
  }

  @Test
  void recordsOfATypeAreShownAlsoTogetherWithOtherFilters() {
    try (WrittenAudit audit = audit()) {
      audit
          .append(
              WrittenAudit.start(),
              WrittenAudit.drift(DriftEvent.Kind.SHAPE_CHANGED, ORDERS),
              rangeStart(ORDERS),
              WrittenAudit.observed(ORDERS, "42"),
              WrittenAudit.observed(ITEMS, "42"))
          .pass(Duration.ofMinutes(1))
          .append(
              WrittenAudit.decided(ORDERS, "42", WrittenAudit.different()),
              WrittenAudit.decided(ORDERS, "43", WrittenAudit.incomplete()),
              WrittenAudit.decided(ITEMS, "42", new Verdict.Converged()),
              rangeEnd(ORDERS),
              rangeEnd(ITEMS),
              WrittenAudit.summary(ORDERS, WrittenAudit.coverage(1, 0, Map.of())),
              WrittenAudit.end(WrittenAudit.coverage(1, 0, Map.of()), 2));
    }
    assertThat(types())
        .containsExactly(
            "run_start",
            "drift",
            "range_start",
            "observation",
            "observation",
            "decision",
            "decision",
            "decision",
            "range_end",
            "range_end",
            "summary",
            "run_end");
    for (AuditType type : AuditType.values()) {
      assertThat(types("--type", type.text())).as(type.text()).allMatch(type.text()::equals);
    }
    assertThat(types("--type", "decision")).hasSize(3);
    assertThat(types("--type", "range_start,range_end")).hasSize(3);
    assertThat(types("--type", "run_start", "--type", "run_end")).hasSize(2);
    assertThat(types("--type", "decision", "--table", "public.orders")).hasSize(2);
    assertThat(types("--type", "decision", "--table", "public.orders", "--key", "id=42"))
        .hasSize(1);
    assertThat(types("--type", "decision", "--outcome", "incomplete")).hasSize(1);
    assertThat(types("--type", "range_end", "--outcome", "incomplete")).hasSize(2);
    assertThat(types("--type", "range_end", "--outcome", "failed")).isEmpty();
    assertThat(types("--outcome", "incomplete")).hasSize(3);
    assertThat(types("--type", "observation", "--since", "2026-01-01T00:00:30Z")).isEmpty();
    assertThat(types("--type", "decision,drift", "--until", "2026-01-01T00:00:30Z"))
        .containsExactly("drift");
    assertThat(ObservedRun.command(show("--type", "verdict")).err())
        .contains("'--type'", "expected one of run_start", "range_end");
    for (String filter : List.of("--type=drift", "--outcome=deferred")) {
      assertThat(
              ObservedRun.command(
                      show("--story", "--table", "public.orders", "--key", "id=42", filter))
                  .err())
          .contains("--story tells all of one key");
    }
  }

  /** The types of the records that are shown, in order. */
  private List<String> types(String... filters) {
    return ObservedRun.command(show(filters)).out().lines().map(l -> l.split(" +", -1)[2]).toList();
  }

  @Test
  void closedFilesAreShownToo() throws Exception {
    try (WrittenAudit audit = audit()) {
      audit.append(WrittenAudit.start(), WrittenAudit.drift(DriftEvent.Kind.SHAPE_CHANGED, ORDERS));
    }
    Path file = StateDirectory.auditFile(dir.resolve("state"));
    Files.move(file, file.resolveSibling(file.getFileName() + ".0000000000000000001"));
    try (WrittenAudit audit = audit()) {
      audit.append(WrittenAudit.start(), WrittenAudit.drift(DriftEvent.Kind.SHAPE_CHANGED, ITEMS));
    }
    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(types()).containsExactly("run_start", "drift", "run_start", "drift");
    assertThat(
            ObservedRun.command("drift", "show", "--state-dir", dir.resolve("state").toString())
                .out())
        .contains("public.orders", "public.items");
    assertThat(
            ObservedRun.command("audit", "check", "--state-dir", dir.resolve("state").toString())
                .out())
        .contains("records   4", "chain     whole");
  }

  @Test
  void theStoryOfAKeyIsPutTogether() {
    try (WrittenAudit audit = audit()) {
      audit
          .append(
              WrittenAudit.start(),
              WrittenAudit.drift(DriftEvent.Kind.SHAPE_CHANGED, ORDERS),
              WrittenAudit.drift(DriftEvent.Kind.SHAPE_CHANGED, ITEMS),
              rangeStart(ORDERS),
              rangeStart(ITEMS))
          .pass(Duration.ofSeconds(5))
          .append(
              WrittenAudit.observed(ORDERS, "42"),
              WrittenAudit.observed(ORDERS, "43"),
              WrittenAudit.observed(ITEMS, "42"))
          .pass(Duration.ofSeconds(61))
          .append(
              WrittenAudit.decided(ORDERS, "42", WrittenAudit.different()),
              WrittenAudit.decided(ORDERS, "43", new Verdict.Converged()),
              rangeEnd(ORDERS),
              rangeEnd(ITEMS));
    }
    String[] command = show("--story", "--table", "public.orders", "--key", "id=42");
    List<String> story = ObservedRun.command(command).out().lines().toList();
    assertThat(story)
        .containsExactly(
            "2026-01-01T00:00:00Z  run run-1: confirmation subscription, rules version 1, ignored"
                + " apps 7, 42",
            "2026-01-01T00:00:00Z  shape 00112233445566778899aabbccddeeff: shape_changed at"
                + " 0/16B0000; a column's type changed",
            "2026-01-01T00:00:00Z  range check of the table began, asked for by request, from the"
                + " first row to the last row",
            "2026-01-01T00:00:05Z  seen first (cdc): different in total",
            "    source        hash 000000000000000100000000000000a0, version 812",
            "    target        hash 000000000000000200000000000000b0, version 90",
            "    shape         00112233445566778899aabbccddeeff",
            "2026-01-01T00:01:06Z  rechecked: boundary 0/16B3748",
            "    source        hash 000000000000000100000000000000a0, version 812",
            "    target        hash 000000000000000200000000000000b0, version 90",
            "    source again  hash 000000000000000100000000000000a0, version 812",
            "2026-01-01T00:01:06Z  decided: unresolved_different, columns total, the source row"
                + " changed meanwhile, 61000 ms after first sight",
            "2026-01-01T00:01:06Z  range check of the table ended: incomplete, covered up to id=9");
    String[] json = show("--story", "--json", "--table", "public.orders", "--key", "id=42");
    assertThat(ObservedRun.command(json).out().lines()).hasSize(6).allMatch(l -> l.startsWith("{"));
    assertThat(
            ObservedRun.command(show("--story", "--table", "public.orders", "--key", "id=4")).err())
        .contains("equal at the first read leave none");
    assertThat(ObservedRun.command(show("--story", "--key", "id=4")).err()).contains("--table");
  }

  /** What is shown of a key can be given back, and names that need quotes stay apart. */
  @Test
  void namesAreQuotedWhereSqlNeedsIt() {
    RowKey odd =
        new RowKey(List.of(new RowKey.Column("K=1", "7"), new RowKey.Column("b c", "q\"uo=")));
    try (WrittenAudit audit = audit()) {
      audit.append(
          WrittenAudit.observed(ORDERS, "42"),
          new AuditEntry.Observation(
              AuditEntry.Stratum.CDC,
              ORDERS,
              odd,
              List.of("a, b", "c"),
              RowSnapshot.absent(),
              RowSnapshot.absent(),
              Optional.empty()));
    }
    ObservedRun.Printed shown =
        ObservedRun.command(
            show("--key", "\"K=1\"=7", "--key", "b c=q\"uo=", "--key", "\"b c\"=q\"uo="));
    assertThat(shown.err()).isEmpty();
    assertThat(shown.out().lines())
        .singleElement()
        .asString()
        .endsWith("\"K=1\"=7 \"b c\"=q\"uo=  deferred  columns: \"a, b\", c");
    assertThat(ObservedRun.command(show("--key", "K=1=7")).err()).contains("No record matches");
    for (String wrong : List.of("7secret", "=7secret", "\"K=7secret", "\"K\"x=7secret")) {
      ObservedRun.Printed refused = ObservedRun.command(show("--key", wrong));
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.err())
          .contains("'--key'", "expected COLUMN=VALUE")
          .doesNotContain("secret");
    }
  }

  private static AuditEntry rangeStart(TableId table) {
    return new AuditEntry.RangeStart(
        table,
        "request",
        Optional.empty(),
        true,
        Optional.empty(),
        true,
        "by_order",
        1,
        false,
        false);
  }

  private static AuditEntry rangeEnd(TableId table) {
    return new AuditEntry.RangeEnd(
        Optional.of(table),
        "incomplete",
        Optional.of("live"),
        100,
        3,
        1,
        Map.of("unresolved_different", 1L),
        0,
        List.of(),
        Optional.of(WrittenAudit.key("9")),
        Optional.empty());
  }
}
