package io.walproof.verifier.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Closed files and the one that is written are one chain, whenever a reader or a crash comes. */
class AuditRotationTest {

  private static final int BYTES = 2_000;

  @TempDir Path dir;
  private Path file;

  @BeforeEach
  void place() {
    file = dir.resolve("log").resolve("verify-audit.jsonl");
  }

  private FileAuditLog open() {
    return FileAuditLog.open(file, "run", Entries.clock(), BYTES, AuditFile::open);
  }

  private void write(int records) {
    try (FileAuditLog log = open()) {
      for (int i = 0; i < records; i++) {
        log.append(List.of(Entries.observation("k" + i)));
      }
    }
  }

  private List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    try (AuditReader reader = AuditReader.open(file)) {
      Optional<AuditRecord> next = reader.next();
      while (next.isPresent()) {
        numbers.add(next.get().seq());
        next = reader.next();
      }
    }
    return numbers;
  }

  @Test
  void theChainGoesOnFromFileToFileAndOverRestarts() throws IOException {
    write(20);
    write(20);
    List<Path> files = AuditSegments.all(file);
    assertThat(files.size()).isGreaterThan(5);
    assertThat(files.get(0).getFileName().toString())
        .isEqualTo("verify-audit.jsonl.0000000000000000001");
    assertThat(files.get(files.size() - 1)).isEqualTo(file);
    for (Path closed : files.subList(0, files.size() - 1)) {
      assertThat(Files.size(closed)).isBetween((long) BYTES, 2L * BYTES);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(closed)))
          .isEqualTo("rw-------");
    }
    assertThat(numbers()).isEqualTo(LongStream.rangeClosed(1, 40).boxed().toList());
    AuditCheck check = AuditCheck.of(file);
    assertThat(check.problem()).isEmpty();
    assertThat(check.records()).isEqualTo(40);
    assertThat(check.lines()).isEqualTo(40);
  }

  /** Reads without a check see each record once, however many files are closed meanwhile. */
  @Test
  void allFilesAreOpenedAsOfOneMoment() throws Exception {
    Path each = dir.resolve("open").resolve("a.jsonl");
    AtomicReference<Throwable> wrong = new AtomicReference<>();
    try (FileAuditLog log = FileAuditLog.open(each, "run", Entries.clock(), 1, AuditFile::open)) {
      log.append(List.of(Entries.observation("first")));
      Thread writer =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 100; i++) {
                    log.append(List.of(Entries.observation("k" + i)));
                  }
                } catch (RuntimeException | Error e) {
                  wrong.set(e);
                }
              });
      writer.start();
      boolean last;
      do {
        last = !writer.isAlive();
        try (InputStream in = AuditSegments.open(each)) {
          List<Long> seen =
              new String(in.readAllBytes(), StandardCharsets.UTF_8)
                  .lines()
                  .map(line -> Long.parseLong(line.replaceFirst(".*?\"seq\":(\\d+).*", "$1")))
                  .toList();
          assertThat(seen).isEqualTo(LongStream.rangeClosed(1, seen.size()).boxed().toList());
          assertThat(seen).isNotEmpty();
        }
      } while (!last);
      writer.join(60_000);
    }
    assertThat(wrong.get()).isNull();
  }

  /** Between the closing of the only file and the beginning of the next, the audit is there. */
  @Test
  void anAuditIsNeverWithoutFiles() throws Exception {
    List<Path> audits = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      Path each = Files.createDirectory(dir.resolve("only" + i)).resolve("a.jsonl");
      audits.add(Files.writeString(each, "first"));
    }
    AtomicInteger next = new AtomicInteger();
    AtomicInteger reads = new AtomicInteger();
    AtomicReference<Throwable> wrong = new AtomicReference<>();
    Thread closer =
        new Thread(
            () -> {
              try {
                for (Path each : audits) {
                  int seen = reads.get();
                  while (reads.get() == seen && wrong.get() == null) {
                    Thread.onSpinWait();
                  }
                  // Each time a little later in the reader's way.
                  long due = System.nanoTime() + audits.indexOf(each) * 100L;
                  while (System.nanoTime() < due) {
                    Thread.onSpinWait();
                  }
                  Files.move(each, AuditSegments.closed(each, 1), StandardCopyOption.ATOMIC_MOVE);
                  next.incrementAndGet();
                }
              } catch (IOException | RuntimeException | Error e) {
                wrong.set(e);
              }
            });
    closer.start();
    try {
      while (closer.isAlive()) {
        Path each = audits.get(Math.min(next.get(), audits.size() - 1));
        reads.incrementAndGet();
        assertThat(AuditSegments.all(each)).isNotEmpty();
      }
    } catch (Throwable e) {
      wrong.compareAndSet(null, e);
    }
    closer.join();
    assertThat(wrong.get()).isNull();
  }

  /** What is renamed and begun anew under a reader's eyes is neither lost nor told twice. */
  @Test
  void aReaderFollowsWhileFilesAreClosed() throws Exception {
    for (int round = 0; round < 5; round++) {
      Path each = dir.resolve("r" + round).resolve("a.jsonl");
      AtomicReference<Throwable> wrong = new AtomicReference<>();
      List<Long> seen = new ArrayList<>();
      try (FileAuditLog log = FileAuditLog.open(each, "run", Entries.clock(), 1, AuditFile::open)) {
        Thread follower =
            new Thread(
                () -> {
                  try (AuditReader reader = AuditReader.open(each)) {
                    while (seen.size() < 50) {
                      reader.next().ifPresent(record -> seen.add(record.seq()));
                    }
                  } catch (RuntimeException | Error e) {
                    wrong.set(e);
                  }
                });
        follower.start();
        for (int i = 0; i < 50; i++) {
          log.append(List.of(Entries.observation("k" + i)));
        }
        follower.join(60_000);
      }
      assertThat(wrong.get()).isNull();
      assertThat(seen).isEqualTo(LongStream.rangeClosed(1, 50).boxed().toList());
      assertThat(AuditSegments.all(each)).hasSize(50);
    }
  }

  /** The two moments of a rotation at which a crash leaves something unusual. */
  @Test
  void aCrashWhileAFileIsClosedLosesNothing() throws IOException {
    write(10);
    long records = AuditCheck.of(file).records();
    long next = records + 1;
    Path last = AuditSegments.all(file).get(AuditSegments.all(file).size() - 2);
    assertThat(last.getFileName().toString()).startsWith("verify-audit.jsonl.");
    // Renamed, and the next one not there yet.
    long first = Long.parseLong(firstNumber(file));
    Files.move(file, AuditSegments.closed(file, first));
    assertThat(AuditCheck.of(file).records()).isEqualTo(records);
    // There, and nothing in it yet.
    Files.createFile(file);
    assertThat(AuditCheck.of(file).records()).isEqualTo(records);
    Files.delete(file);
    write(3);
    AuditCheck check = AuditCheck.of(file);
    assertThat(check.problem()).isEmpty();
    assertThat(check.records()).isEqualTo(next + 2);
    assertThat(firstNumber(file)).isEqualTo(Long.toString(next));
  }

  @Test
  void aLineThatWasCutOffInTheLastFileIsMarkedThere() throws IOException {
    write(10);
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 10));
    write(10);
    AuditCheck check = AuditCheck.of(file);
    assertThat(check.problem()).isEmpty();
    assertThat(check.tornLines()).isEqualTo(1);
  }

  @Test
  void whatIsEditedCutOrMissingInAClosedFileIsFoundThere() throws IOException {
    write(30);
    List<Path> files = AuditSegments.all(file);
    Path second = files.get(1);
    byte[] before = Files.readAllBytes(second);

    Files.writeString(second, Files.readString(second).replace("\"run\"", "\"ran\""));
    assertProblem(second);
    Files.write(second, Arrays.copyOf(before, before.length - 5));
    assertProblem(second);
    List<String> lines = Files.readAllLines(second);
    Files.write(second, lines.subList(0, lines.size() - 1));
    assertThat(AuditCheck.of(file).isWhole()).isFalse();
    Files.write(second, new byte[0]);
    assertProblem(second);
    Files.delete(second);
    // The file before it says what is due, and no file begins with it.
    assertThat(AuditCheck.of(file).problem().orElseThrow().finding()).contains("missing");
    assertThatThrownBy(this::open)
        .isInstanceOf(AuditDamagedException.class)
        .hasMessageContaining("mv " + file.getParent());
    Files.write(second, before);
    assertThat(AuditCheck.of(file).isWhole()).isTrue();
    Files.delete(files.get(0));
    assertThat(AuditCheck.of(file).problem().orElseThrow().finding()).contains("missing");
  }

  /** Also where nothing but a part of the first record is in the file that was just begun. */
  @Test
  void aLastFileThatIsCutAnywhereGoesOn() throws IOException {
    write(9);
    byte[] whole = Files.readAllBytes(file);
    long before = AuditCheck.of(file).records() - Files.readAllLines(file).size();
    List<Path> files = AuditSegments.all(file);
    for (int length = 0; length <= whole.length; length += 60) {
      Files.write(file, Arrays.copyOf(whole, length));
      write(8);
      AuditCheck check = AuditCheck.of(file);
      assertThat(check.problem()).as("cut to %s", length).isEmpty();
      assertThat(check.records()).isGreaterThanOrEqualTo(before + 8);
      assertThat(numbers()).isEqualTo(LongStream.rangeClosed(1, check.records()).boxed().toList());
      for (Path written : AuditSegments.all(file)) {
        if (!files.contains(written)) {
          Files.delete(written);
        }
      }
    }
  }

  /** As on a disk that has room for the name, and for no further file. */
  @Test
  void aFileThatCannotBeBegunStopsVerificationAndTheNextStartGoesOn() throws IOException {
    AtomicInteger opened = new AtomicInteger();
    AuditFile.Opener once =
        path -> {
          if (opened.getAndIncrement() > 0) {
            throw new IOException("No space left on device");
          }
          return AuditFile.open(path);
        };
    int written = 0;
    try (FileAuditLog log = FileAuditLog.open(file, "run", Entries.clock(), BYTES, once)) {
      while (written < 20) {
        log.append(List.of(Entries.observation("k" + written)));
        written++;
      }
    } catch (AuditException e) {
      assertThat(e).hasMessageContaining("Make room on the disk");
    }
    assertThat(opened).hasValue(2);
    assertThat(AuditCheck.of(file).records()).isEqualTo(written);
    write(5);
    AuditCheck check = AuditCheck.of(file);
    assertThat(check.problem()).isEmpty();
    assertThat(check.records()).isEqualTo(written + 5L);
  }

  /** As after a rotation that found the disk full, where somebody then made room. */
  @Test
  void aClosedFileThatIsMissingIsFoundAlsoWhereNothingIsInTheLast() throws IOException {
    write(30);
    List<Path> files = AuditSegments.all(file);
    Files.write(file, new byte[0]);
    for (int gone : new int[] {0, 1, files.size() - 3}) {
      byte[] before = Files.readAllBytes(files.get(gone));
      Files.delete(files.get(gone));
      AuditCheck.Problem problem = AuditCheck.of(file).problem().orElseThrow();
      assertThat(problem.finding())
          .contains(
              files.get(gone).getFileName() + ", is not there",
              files.get(gone + 1).getFileName() + " is.");
      assertThatThrownBy(this::open)
          .isInstanceOf(AuditDamagedException.class)
          .hasMessageContaining("mv " + file.getParent());
      assertThat(file).isEmptyFile();
      Files.write(files.get(gone), before);
      assertThat(AuditCheck.of(file).problem()).isEmpty();
    }
    Files.delete(file);
    Files.delete(files.get(1));
    assertThat(AuditCheck.of(file).isWhole()).isFalse();
  }

  /** One of them is not damaged because it does not begin the chain. */
  @Test
  void aClosedFileIsReadAsPartOfItsAuditOnly() throws IOException {
    write(20);
    for (Path closed : AuditSegments.all(file).subList(0, 2)) {
      assertThatThrownBy(() -> AuditCheck.of(closed))
          .isExactlyInstanceOf(AuditException.class)
          .hasMessageContaining("Name the audit, " + file + ":");
    }
  }

  @Test
  void theFilesAsTheyStandAreAllRecords() throws IOException {
    write(20);
    try (InputStream in = AuditSegments.open(file)) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()).hasSize(20);
    }
    long inLast;
    try (Stream<String> lines = Files.lines(file)) {
      inLast = lines.count();
    }
    Files.delete(file);
    try (InputStream in = AuditSegments.open(file)) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines())
          .hasSize(20 - (int) inLast);
    }
    assertThatThrownBy(() -> AuditSegments.open(dir.resolve("absent").resolve("a.jsonl")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aNameThatIsTakenStopsVerificationAndNothingIsOverwritten() throws IOException {
    try (FileAuditLog log = open()) {
      Path taken = Files.writeString(AuditSegments.closed(file, 1), "somebody's");
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 20; i++) {
                  log.append(List.of(Entries.observation("k" + i)));
                }
              })
          .isInstanceOf(AuditException.class)
          .hasMessageContaining("is there already");
      assertThat(Files.readString(taken)).isEqualTo("somebody's");
      assertThatThrownBy(() -> log.append(List.of(Entries.runStart())))
          .isInstanceOf(AuditException.class);
    }
  }

  private void assertProblem(Path where) {
    AuditCheck.Problem problem = AuditCheck.of(file).problem().orElseThrow();
    assertThat(problem.file()).isEqualTo(where);
  }

  private static String firstNumber(Path of) throws IOException {
    return Files.readAllLines(of).get(0).replaceFirst(".*?\"seq\":(\\d+).*", "$1");
  }
}
