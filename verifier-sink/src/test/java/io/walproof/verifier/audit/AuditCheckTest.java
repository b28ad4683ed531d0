package io.walproof.verifier.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every way to tamper with a file that its own contents can show, at every place. */
class AuditCheckTest {

  @TempDir Path dir;
  private Path file;
  private List<String> lines;

  @BeforeEach
  void aFileOfTwoRuns() throws IOException {
    file = dir.resolve("log").resolve("verify-audit.jsonl");
    try (FileAuditLog log = FileAuditLog.open(file, "run-1", Entries.clock(), AuditFile::open)) {
      log.append(List.of(Entries.runStart(), Entries.observation("1"), Entries.observation("2")));
    }
    try (FileAuditLog log = FileAuditLog.open(file, "run-2", Entries.clock(), AuditFile::open)) {
      log.append(List.of(Entries.runStart(), Entries.different(Entries.ORDERS, "1")));
    }
    lines = Files.readAllLines(file);
    assertThat(lines).hasSize(5);
  }

  @Test
  void theUntouchedFileIsWhole() {
    AuditCheck check = AuditCheck.of(file);
    assertThat(check.isWhole()).isTrue();
    assertThat(check.records()).isEqualTo(5);
    assertThat(check.lines()).isEqualTo(5);
    assertThat(check.unfinishedBytes()).isZero();
  }

  @Test
  void aChangedByteIsFoundInItsLineWhereverItIs() throws IOException {
    byte[] original = Files.readAllBytes(file);
    int lastLine = original.length - lines.get(4).length() - 1;
    int line = 1;
    for (int i = 0; i < lastLine; i++) {
      byte[] edited = original.clone();
      edited[i] = (byte) (edited[i] == '1' ? '7' : edited[i] ^ 1);
      Files.write(file, edited);
      long reported;
      try {
        AuditCheck check = AuditCheck.of(file);
        assertThat(check.problem()).as("byte %d", i).isPresent();
        reported = check.problem().orElseThrow().line();
      } catch (AuditDamagedException e) {
        throw new AssertionError("damage is a finding, not an error", e);
      } catch (AuditException e) {
        assertThat(e).hasMessageContaining("format version").hasMessageContaining("ine " + line);
        reported = line;
      }
      // The hash in a line vouches for the line before, so either of the two may be named.
      assertThat(reported).as("byte %d", i).isBetween(line - 1L, (long) line);
      if (original[i] == '\n') {
        line++;
      }
    }
    assertThat(line).isEqualTo(5);
  }

  @Test
  void aChangedOutcomeIsReportedAtItsLine() throws IOException {
    rewrite(
        lines.stream()
            .map(l -> l.contains("\"2\"") ? l.replace("deferred", "matched!") : l)
            .toList());
    AuditCheck.Problem problem = AuditCheck.of(file).problem().orElseThrow();
    assertThat(problem.line()).isEqualTo(3);
    assertThat(problem.finding()).contains("was edited after it was written");
  }

  @Test
  void aMissingLineIsReportedAsAGap() throws IOException {
    for (int i = 0; i < 4; i++) {
      List<String> fewer = new ArrayList<>(lines);
      fewer.remove(i);
      rewrite(fewer);
      AuditCheck.Problem problem = AuditCheck.of(file).problem().orElseThrow();
      assertThat(problem.line()).isEqualTo(i + 1);
      assertThat(problem.finding()).contains("1 missing");
    }
  }

  @Test
  void movedAndRepeatedLinesAreReported() throws IOException {
    for (int i = 0; i < 4; i++) {
      List<String> moved = new ArrayList<>(lines);
      Collections.swap(moved, i, i + 1);
      rewrite(moved);
      assertThat(AuditCheck.of(file).problem().orElseThrow().line()).isEqualTo(i + 1);

      List<String> repeated = new ArrayList<>(lines);
      repeated.add(i + 1, lines.get(i));
      rewrite(repeated);
      assertThat(AuditCheck.of(file).problem().orElseThrow())
          .isEqualTo(
              new AuditCheck.Problem(
                  file,
                  i + 2L,
                  "has number %d where %d is due: repeated or moved.".formatted(i + 1, i + 2)));
    }
  }

  @Test
  void aFileWhoseBeginningIsReplacedByARenumberedOneIsReported() throws IOException {
    rewrite(List.of(lines.get(1).replace("\"seq\":2", "\"seq\":1"), lines.get(2)));
    AuditCheck.Problem problem = AuditCheck.of(file).problem().orElseThrow();
    assertThat(problem.line()).isEqualTo(1);
    assertThat(problem.finding()).contains("does not begin a chain");
  }

  @Test
  void foreignLinesAreReported() throws IOException {
    for (String foreign : List.of("", "hello", "[1]", "{}", "{\"v\":1}", "{\"v\":\"1\"}")) {
      List<String> more = new ArrayList<>(lines);
      more.add(2, foreign);
      rewrite(more);
      assertThat(AuditCheck.of(file).problem().orElseThrow().line()).as(foreign).isEqualTo(3);
      more = new ArrayList<>(lines);
      more.add(foreign);
      rewrite(more);
      assertThat(AuditCheck.of(file).problem().orElseThrow().line()).as(foreign).isEqualTo(6);
    }
  }

  @Test
  void linesCutOffAtTheEndShowInTheHeadHash() throws IOException {
    String head = AuditCheck.of(file).head();
    rewrite(lines.subList(0, 4));
    AuditCheck check = AuditCheck.of(file);
    assertThat(check.isWhole()).isTrue();
    assertThat(check.head()).isNotEqualTo(head);
  }

  @Test
  void aLastLineInTheMiddleOfBeingWrittenIsNoProblemAndIsReadOnLater() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int cut = bytes.length - 100;
    Files.write(file, Arrays.copyOf(bytes, cut));
    AuditCheck check = AuditCheck.of(file);
    assertThat(check.isWhole()).isTrue();
    assertThat(check.records()).isEqualTo(4);
    assertThat(check.unfinishedBytes()).isEqualTo(lines.get(4).length() + 1 - 100L);

    try (AuditReader reader = AuditReader.open(file)) {
      reader.readToEnd();
      assertThat(reader.records()).isEqualTo(4);
      Files.write(file, Arrays.copyOfRange(bytes, cut, bytes.length), StandardOpenOption.APPEND);
      assertThat(reader.next()).hasValueSatisfying(r -> assertThat(r.seq()).isEqualTo(5));
      assertThat(reader.next()).isEmpty();
      assertThat(reader.unfinishedBytes()).isZero();
    }
  }

  @Test
  void aMarkMustFitWhatItMarks() throws IOException {
    String head = AuditCheck.of(file).head();
    String cut = "{\"v\":1,";
    String sha256 = sha256(cut);

    appended(cut, mark(6, head, cut.length(), sha256));
    assertThat(AuditCheck.of(file).problem()).isEmpty();
    assertThat(AuditCheck.of(file).tornLines()).isEqualTo(1);

    appended(cut, mark(6, head, cut.length() + 1L, sha256));
    assertThat(found())
        .isEqualTo("6 was cut off by a crash and edited after that: its mark does not fit.");
    appended(cut, mark(6, head, cut.length(), sha256("other")));
    assertThat(found())
        .isEqualTo("6 was cut off by a crash and edited after that: its mark does not fit.");
    appended(mark(6, head, cut.length(), sha256));
    assertThat(found()).isEqualTo("6 marks a line as cut off, but the line before is whole.");
    appended(cut, lines.get(4));
    assertThat(found()).isEqualTo("6 is not a record, and nothing marks it as cut off by a crash.");
  }

  @Test
  void severalCutOffLinesAreOnePieceWithTheNewlinesBetween() throws IOException {
    String head = AuditCheck.of(file).head();
    appended("{\"v\"", "{", mark(6, head, 6, sha256("{\"v\"\n{")));
    assertThat(AuditCheck.of(file).problem()).isEmpty();
  }

  private String found() {
    AuditCheck.Problem problem = AuditCheck.of(file).problem().orElseThrow();
    return problem.line() + " " + problem.finding();
  }

  private static String mark(long seq, String previous, long bytes, String sha256) {
    byte[] mark =
        new AuditEncoder("run-3").tornLine(seq, previous, Entries.clock().now(), bytes, sha256);
    return new String(mark, StandardCharsets.UTF_8);
  }

  private static String sha256(String text) {
    return HexFormat.of()
        .formatHex(AuditFormat.sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private void appended(String... more) throws IOException {
    List<String> all = new ArrayList<>(lines);
    all.addAll(List.of(more));
    rewrite(all);
  }

  private void rewrite(List<String> changed) throws IOException {
    Files.write(file, (String.join("\n", changed) + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
