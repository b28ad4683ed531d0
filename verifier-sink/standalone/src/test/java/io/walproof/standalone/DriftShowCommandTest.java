package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code walproof drift show}, of an audit's records and of a topic's. */
class DriftShowCommandTest {

  private static final String AUDIT =
      """
      {"v":1,"seq":1,"prev":"","ts":"2026-01-01T00:00:00.000Z","run_id":"r","type":"drift",\
      "table":{"schema":"public","name":"orders"},"kind":"initial","occurrence":"first_seen",\
      "lsn":"0/10","transaction":7,"shape":"00000000000000000000000000000001","changes":[],\
      "policy":"report","action":"reported","detail":"first shape seen of this table"}
      {"v":1,"seq":2,"prev":"","ts":"2026-01-01T00:00:01.000Z","run_id":"r","type":"summary"}
      {"v":1,"seq":3,"prev":"","ts":"2026-01-01T00:00:02.000Z","run_id":"r","type":"drift",\
      "table":{"schema":"public","name":"Orders"},"kind":"shape_changed",\
      "occurrence":"across_restart","lsn":"0/20","transaction":8,\
      "previous_shape":"00000000000000000000000000000001",\
      "shape":"00000000000000000000000000000002","changes":[\
      {"column":"w","what":"added","before":"","after":"integer","narrowing":false},\
      {"column":"Old","what":"removed","before":"text","after":"","narrowing":true},\
      {"column":"v","what":"type_modifier","before":"character varying(20)",\
      "after":"character varying(10)","narrowing":true},\
      {"column":"Old","what":"possible_rename","before":"Old","after":"w","narrowing":false},\
      {"column":"a","what":"order","before":"2","after":"3","narrowing":false},\
      {"column":"","what":"key_order","before":"a, b","after":"b, a","narrowing":false}],\
      "narrowing":true,"policy":"halt","action":"halted","detail":"it \\u001b[31mchanged"}
      {"v":1,"torn
      """;

  private static final String TOPIC =
      """
      {"schema":"public","table":"t"}\t{"v":1,"kind":"gap","occurrence":"across_restart",\
      "schema":"public","table":"t","lsn":32,"txid":0,"previous":null,"current":null,\
      "changes":[],"narrowing":null,"policy":"report","action":"accepted","detail":"lost"}
      {"schema":{"type":"struct"},"payload":{"v":1,"kind":"shape_changed",\
      "occurrence":"in_process","schema":"public","table":"t","lsn":48,"txid":9,\
      "previous":"00000000000000000000000000000001","current":"00000000000000000000000000000002",\
      "changes":[{"column":"w","what":"added","before":"","after":"bigint","narrowing":false}],\
      "narrowing":false,"policy":"evolve","action":"accepted","detail":"changed"}}
      """;

  @TempDir Path directory;

  @Test
  void anAuditIsATimelineWithTheDifferenceInTheWordsOfDdl() throws Exception {
    Path file = Files.writeString(directory.resolve("audit.jsonl"), AUDIT);
    Operated.Outcome outcome = Operated.command("drift", "show", file.toString());
    assertThat(outcome.status()).isZero();
    assertThat(outcome.out().lines())
        .containsExactly(
            "2026-01-01T00:00:02.000Z  public.\"Orders\"  shape_changed  across_restart  at 0/20 in"
                + " transaction 8  halt: halted",
            "    ALTER TABLE public.\"Orders\" ADD COLUMN w integer;",
            "    ALTER TABLE public.\"Orders\" DROP COLUMN \"Old\"; -- was text",
            "    ALTER TABLE public.\"Orders\" ALTER COLUMN v TYPE character varying(10); -- was"
                + " character varying(20), may not hold its values",
            "    -- perhaps: ALTER TABLE public.\"Orders\" RENAME COLUMN \"Old\" TO w;",
            "    -- a: place 2 became place 3",
            "    -- key order: a, b became b, a",
            "    -- it \\u001B[31mchanged; narrowing");
    assertThat(outcome.err()).contains("1 lines are no JSON");
  }

  @Test
  void aTopicsRecordsAreReadFromStandardInputWithAndWithoutTheirEnvelope() throws Exception {
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream(TOPIC.getBytes(StandardCharsets.UTF_8)));
      Operated.Outcome outcome = Operated.command("drift", "show", "-");
      assertThat(outcome.out().lines())
          .containsExactly(
              "public.t  gap  across_restart  at 0/20  report: accepted",
              "    -- lost",
              "public.t  shape_changed  in_process  at 0/30 in transaction 9  evolve: accepted",
              "    ALTER TABLE public.t ADD COLUMN w bigint;",
              "    -- changed; not narrowing");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void jsonHasOneObjectForEachEventAndFiltersCount() throws Exception {
    Path file = Files.writeString(directory.resolve("audit.jsonl"), AUDIT);
    Operated.Outcome all = Operated.command("drift", "show", file.toString(), "--all", "--json");
    assertThat(all.out().lines()).hasSize(2);
    JsonNode second = JsonMapper.builder().build().readTree(all.out().lines().toList().get(1));
    assertThat(second.path("kind").asText()).isEqualTo("shape_changed");
    assertThat(second.path("difference")).hasSize(6);
    assertThat(second.path("lsn").asText()).isEqualTo("0/20");
    Operated.Outcome none =
        Operated.command("drift", "show", file.toString(), "--table", "public.orders");
    assertThat(none.out()).isEmpty();
    assertThat(none.err()).contains("No drift event");
  }

  /** A start that ends before its gap is durable tells it again: nobody counts two. */
  @Test
  void aGapThatIsToldAgainIsRecognised() throws Exception {
    String told = TOPIC.lines().findFirst().orElseThrow().replace("lost\"}", "lost\",\"from\":%s}");
    String events =
        Stream.of("24", "24", "25", "null", "null")
            .map(from -> told.formatted(from) + "\n")
            .collect(Collectors.joining());
    Path file = Files.writeString(directory.resolve("drift.jsonl"), events);
    Operated.Outcome outcome = Operated.command("drift", "show", file.toString());
    assertThat(outcome.out().lines())
        .containsExactly(
            "public.t  gap  across_restart  from 0/18  at 0/20  report: accepted",
            "    -- lost",
            "public.t  gap  across_restart  from 0/18  at 0/20  report: accepted",
            "    -- lost",
            "    -- told above already: one gap",
            "public.t  gap  across_restart  from 0/19  at 0/20  report: accepted",
            "    -- lost",
            "public.t  gap  across_restart  at 0/20  report: accepted",
            "    -- lost",
            "public.t  gap  across_restart  at 0/20  report: accepted",
            "    -- lost",
            "    -- told above already: one gap");
    Operated.Outcome json = Operated.command("drift", "show", file.toString(), "--json");
    assertThat(json.out().lines().findFirst().orElseThrow()).contains("\"from\":\"0/18\"");
  }

  @Test
  void aMissingFileIsNamed() {
    Operated.Outcome outcome = Operated.command("drift", "show", directory.resolve("x").toString());
    assertThat(outcome.status()).isEqualTo(ExitStatus.ERROR.code());
    assertThat(outcome.err()).contains(directory.resolve("x").toString(), "--state-dir");
  }
}
