package io.walproof.verifier.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.Lsn;
import io.walproof.contract.RowKey;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.AuditedDatabases;
import io.walproof.verifier.model.ColumnsLeftOut;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Invariant K for the audit record: golden vectors, unknown versions, hostile text. */
class AuditFormatTest {

  @TempDir Path dir;

  @Test
  void recordsOfEveryTypeAreTheGoldenVectorsByteForByte() throws IOException {
    Path file = dir.resolve("log").resolve("verify-audit.jsonl");
    try (FileAuditLog log = FileAuditLog.open(file, "run-1", Entries.clock(), AuditFile::open)) {
      log.append(
          List.of(
              Entries.runStart(),
              Entries.observation("42"),
              Entries.different(Entries.ORDERS, "42"),
              Entries.missing(),
              Entries.incomplete(),
              Entries.decision(
                  Entries.ORDERS, "\u0661 \ud83d\ude00 \ud800", new Verdict.IgnoredApp(7)),
              Entries.drift(),
              Entries.gap()));
    }
    Files.writeString(file, "{\"v\":1,\"se", StandardOpenOption.APPEND);
    try (FileAuditLog log = FileAuditLog.open(file, "run-2", Entries.clock(), AuditFile::open)) {
      var total = Entries.coverage(90, Map.of("unresolved_different", 1L));
      log.append(List.of(Entries.summary(Map.of(Entries.ORDERS, total), total)));
      log.append(List.of(Entries.runEnd(total)));
    }
    assertThat(Files.readString(file)).isEqualTo(golden());
  }

  /** A gap has a beginning, and a summary says from where on its table's verdicts speak. */
  @Test
  void aGapAndWhatStartsBehindItAreTheGoldenVectors() {
    var counts = Entries.coverage(1, Map.of());
    DriftEvent gap =
        new DriftEvent(
            DriftEvent.Kind.GAP,
            DriftEvent.Occurrence.ACROSS_RESTART,
            Optional.of(Entries.ORDERS),
            Lsn.parse("1/0"),
            0,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            "report",
            "accepted",
            "lost",
            Optional.of(Lsn.parse("0/16B3800")));
    assertThat(
            body(
                new AuditEntry.RunStart(
                    1,
                    "none",
                    List.of(),
                    Map.of(),
                    Optional.of(
                        new AuditedDatabases(
                            new AuditedDatabases.Identity("7001", "shop"),
                            new AuditedDatabases.Identity("7002", "copy"))))))
        .endsWith(
            "\"scope\":{},\"source\":{\"system_identifier\":\"7001\",\"database\":\"shop\"},"
                + "\"target\":{\"system_identifier\":\"7002\",\"database\":\"copy\"}}");
    String table = "\"table\":{\"schema\":\"public\",\"name\":\"orders\"}";
    assertThat(body(new AuditEntry.Drift(gap)))
        .isEqualTo(
            "\"type\":\"drift\","
                + table
                + ",\"kind\":\"gap\",\"occurrence\":\"across_restart\",\"lsn\":\"1/0\","
                + "\"from\":\"0/16B3800\",\"transaction\":0,\"changes\":[],"
                + "\"policy\":\"report\",\"action\":\"accepted\",\"detail\":\"lost\"}");
    assertThat(
            body(
                new AuditEntry.Summary(
                    counts,
                    Map.of(Entries.ORDERS, counts),
                    Map.of(Entries.ORDERS, Lsn.parse("1/0")),
                    Map.of(
                        Entries.ORDERS,
                        new ColumnsLeftOut(
                            List.of("p: point on both sides"), List.of("note"), List.of("own"))))))
        .startsWith("\"type\":\"summary\",\"coverage\":{")
        .contains("\"tables\":[{" + table + ",\"coverage\":{")
        .endsWith(
            "},\"verdicts_after\":\"1/0\",\"not_compared\":[\"p: point on both sides\"],"
                + "\"excluded\":[\"note\"],\"not_published\":[\"own\"]}]}");
  }

  /** Without what is the same in every record. */
  private static String body(AuditEntry entry) {
    byte[] line = new AuditEncoder("run-1").encode(1, "0", java.time.Instant.EPOCH, entry);
    String text = new String(line, StandardCharsets.UTF_8);
    return text.substring(text.indexOf("\"type\""));
  }

  /** Range checks' records; what is the same in every record is cut off. */
  @Test
  void rangeRecordsAreTheGoldenVectors() throws IOException {
    RowKey key =
        new RowKey(
            List.of(new RowKey.Column("a", "1,\"x\""), new RowKey.Column("b", "2026-01-01")));
    List<String> bodies = new ArrayList<>();
    for (AuditEntry entry :
        List.of(
            new AuditEntry.RangeStart(
                Entries.ORDERS,
                "snapshot_cursor",
                Optional.empty(),
                true,
                Optional.of(key),
                true,
                "by_order",
                1,
                false,
                true),
            new AuditEntry.RangeEnd(
                Optional.of(Entries.ORDERS),
                "incomplete",
                Optional.of("live"),
                7,
                2,
                1,
                Map.of("unresolved_missing", 1L),
                1,
                List.of(key),
                Optional.of(key),
                Optional.of("the time is used up")),
            new AuditEntry.RangesStart("schedule", 12),
            AuditEntry.RangeEnd.unread(
                Optional.empty(), "incomplete", Optional.of("the servers are away")))) {
      bodies.add(body(entry));
    }
    String table = "\"table\":{\"schema\":\"public\",\"name\":\"orders\"}";
    String texts = "{\"a\":\"1,\\\"x\\\"\",\"b\":\"2026-01-01\"}";
    assertThat(bodies)
        .containsExactly(
            "\"type\":\"range_start\",\"stratum\":\"range\","
                + table
                + ",\"origin\":\"snapshot_cursor\",\"to\":"
                + texts
                + ",\"to_inclusive\":true,\"pairing\":\"by_order\",\"digest_version\":1,"
                + "\"resumed\":false,\"narrowed\":true}",
            "\"type\":\"range_end\",\"stratum\":\"range\","
                + table
                + ",\"outcome\":\"incomplete\",\"strength\":\"live\",\"rows\":7,"
                + "\"chunks_equal\":2,\"chunks_differing\":1,"
                + "\"keys\":{\"unresolved_missing\":1},\"target_only\":1,\"target_only_keys\":["
                + texts
                + "],\"covered_to\":"
                + texts
                + ",\"detail\":\"the time is used up\"}",
            "\"type\":\"range_start\",\"stratum\":\"range\",\"origin\":\"schedule\",\"tables\":12}",
            "\"type\":\"range_end\",\"stratum\":\"range\",\"outcome\":\"incomplete\",\"rows\":0,"
                + "\"chunks_equal\":0,\"chunks_differing\":0,\"keys\":{},\"target_only\":0,"
                + "\"target_only_keys\":[],\"detail\":\"the servers are away\"}");
  }

  @Test
  void theGoldenVectorsReadBack() throws IOException {
    List<AuditRecord> records = readAll(write(golden()));
    assertThat(records.stream().map(AuditRecord::type).distinct())
        .containsExactly(
            AuditType.RUN_START,
            AuditType.OBSERVATION,
            AuditType.DECISION,
            AuditType.DRIFT,
            AuditType.TORN_LINE,
            AuditType.SUMMARY,
            AuditType.RUN_END);
    assertThat(records.stream().map(AuditRecord::outcome).flatMap(Optional::stream))
        .containsExactly(
            "deferred", "unresolved_different", "unresolved_missing", "incomplete", "ignored_app");
    assertThat(records.get(3).table()).contains(Entries.ODD);
    assertThat(records.get(1).table()).contains(Entries.ORDERS);
    assertThat(records.get(1).at()).isEqualTo("2026-01-01T00:00:00.000Z");
  }

  @Test
  void anUnknownVersionIsAnErrorThatSaysWhatToDo() throws IOException {
    Path file = write("{\"v\":2,\"seq\":1,\"prev\":\"" + "0".repeat(64) + "\"}\n");
    assertThatThrownBy(() -> readAll(file))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("Line 1")
        .hasMessageContaining("version 2")
        .hasMessageContaining("build");
    assertThatThrownBy(() -> AuditCheck.of(file)).isInstanceOf(AuditException.class);
    assertThatThrownBy(() -> FileAuditLog.open(file, "run", Entries.clock(), AuditFile::open))
        .isInstanceOf(AuditException.class);
  }

  @Test
  void aLineLongerThanAnyRecordIsRefusedAndNotHeldInMemory() throws IOException {
    Path file = write("x".repeat(AuditFormat.MAX_LINE_BYTES + 1));
    assertThatThrownBy(() -> readAll(file))
        .isInstanceOf(AuditDamagedException.class)
        .hasMessageContaining("line 1 is longer than any record");
  }

  @Property(tries = 500)
  void anyKeyTextStaysOnOneLineAndReadsBackExactly(@ForAll String name, @ForAll String text)
      throws IOException {
    AuditEntry entry =
        new AuditEntry.Observation(
            AuditEntry.Stratum.CDC,
            Entries.ORDERS,
            new RowKey(List.of(new RowKey.Column(name, text))),
            List.of(name),
            Entries.SOURCE,
            RowSnapshot.absent(),
            Optional.empty());
    byte[] line =
        new AuditEncoder("run").encode(1, AuditFormat.NO_PREVIOUS, Entries.clock().now(), entry);
    String written = new String(line, StandardCharsets.UTF_8);
    assertThat(written.getBytes(StandardCharsets.UTF_8)).isEqualTo(line);
    assertThat(written.codePoints().filter(AuditFormatTest::acts)).isEmpty();
    JsonNode key = AuditFormat.READING.readTree(line).path("key");
    assertThat(key.properties())
        .singleElement()
        .satisfies(
            field -> {
              assertThat(field.getKey()).isEqualTo(name);
              assertThat(field.getValue().textValue()).isEqualTo(text);
            });
  }

  /** What a terminal or an editor may act on instead of showing it. */
  private static boolean acts(int codePoint) {
    return Character.isISOControl(codePoint)
        || Character.getType(codePoint) == Character.FORMAT
        || Character.getType(codePoint) == Character.LINE_SEPARATOR
        || Character.getType(codePoint) == Character.PARAGRAPH_SEPARATOR;
  }

  @Test
  void theChainIsTheHashOfTheLineBefore() throws IOException {
    String[] lines = golden().split("\n", -1);
    String first =
        HexFormat.of()
            .formatHex(AuditFormat.sha256().digest(lines[0].getBytes(StandardCharsets.UTF_8)));
    assertThat(lines[0]).contains("\"prev\":\"" + "0".repeat(64) + "\"");
    assertThat(lines[1]).contains("\"seq\":2,\"prev\":\"" + first + "\"");
  }

  private static String golden() throws IOException {
    try (InputStream in = AuditFormatTest.class.getResourceAsStream("/audit/golden-v1.jsonl")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private Path write(String text) throws IOException {
    Path file = dir.resolve("verify-audit.jsonl");
    Files.writeString(file, text);
    return file;
  }

  private static List<AuditRecord> readAll(Path file) {
    List<AuditRecord> records = new ArrayList<>();
    try (AuditReader reader = AuditReader.open(file)) {
      for (var next = reader.next(); next.isPresent(); next = reader.next()) {
        records.add(next.get());
      }
    }
    return records;
  }
}
