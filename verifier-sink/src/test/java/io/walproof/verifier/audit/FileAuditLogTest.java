package io.walproof.verifier.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Invariant B: evidence is durable and in one chain, or verification stops. */
class FileAuditLogTest {

  @TempDir Path dir;
  private Path file;

  @BeforeEach
  void place() {
    file = dir.resolve("log").resolve("verify-audit.jsonl");
  }

  @Test
  void theChainGoesOnOverRestarts() {
    for (int run = 0; run < 3; run++) {
      try (FileAuditLog log = open()) {
        log.append(List.of(Entries.runStart()));
        log.append(List.of(Entries.observation("1"), Entries.different(Entries.ORDERS, "1")));
        log.append(List.of());
      }
    }
    AuditCheck check = AuditCheck.of(file);
    assertThat(check.isWhole()).isTrue();
    assertThat(check.records()).isEqualTo(9);
  }

  @Test
  void wherever_aCrashCutsTheFile_whatWasSyncedStaysAndTheRestIsMarked() throws IOException {
    writeTwoBatches();
    byte[] whole = Files.readAllBytes(file);
    int synced = whole.length - lastLine(whole);
    for (int cut = synced; cut <= whole.length; cut++) {
      Files.write(file, Arrays.copyOf(whole, cut));
      try (FileAuditLog log = open()) {
        log.append(List.of(Entries.observation("after")));
      }
      byte[] after = Files.readAllBytes(file);
      assertThat(Arrays.copyOf(after, cut)).as("kept").isEqualTo(Arrays.copyOf(whole, cut));
      AuditCheck check = AuditCheck.of(file);
      assertThat(check.problem()).as("cut at %d", cut).isEmpty();
      boolean lineWasWhole = cut >= whole.length - 1;
      boolean nothingCut = cut == synced || lineWasWhole;
      assertThat(check.tornLines()).as("cut at %d", cut).isEqualTo(nothingCut ? 0 : 1);
      assertThat(check.records()).isEqualTo(cut == synced ? 3 : 4);
    }
  }

  @Test
  void aCrashWhileACrashIsBeingMarkedIsMarkedToo() throws IOException {
    writeTwoBatches();
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 40));
    open().close();
    byte[] marked = Files.readAllBytes(file);
    for (int cut = whole.length - 40; cut <= marked.length; cut++) {
      Files.write(file, Arrays.copyOf(marked, cut));
      open().close();
      open().close();
      AuditCheck check = AuditCheck.of(file);
      assertThat(check.problem()).as("cut at %d", cut).isEmpty();
      assertThat(check.tornLines()).isEqualTo(1);
      assertThat(check.records()).isEqualTo(3);
    }
  }

  @Test
  void anEditedTornLineIsFound() throws IOException {
    writeTwoBatches();
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 40));
    open().close();
    String text = Files.readString(file);
    int at = text.lastIndexOf("observation");
    Files.writeString(file, text.substring(0, at) + "observatioN" + text.substring(at + 11));
    assertThat(AuditCheck.of(file).problem().orElseThrow())
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(3);
              assertThat(problem.finding()).contains("its mark does not fit");
            });
  }

  @Test
  void damageAnywhereElseIsRefusedByNameAndNothingIsWritten() throws IOException {
    writeTwoBatches();
    List<String> lines = Files.readAllLines(file);
    for (String damaged : List.of("{\"v\":1,", lines.get(1).replace("public", "pub1ic"))) {
      Files.write(file, List.of(lines.get(0), damaged, lines.get(2)));
      byte[] before = Files.readAllBytes(file);
      assertThatThrownBy(this::open)
          .isInstanceOf(AuditDamagedException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("line 2")
          .hasMessageContaining("mv ");
      assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }
  }

  @Test
  void aFullDiskStopsVerificationAndTheNextStartGoesOn() throws IOException {
    for (int room = 0; room < 500; room += 23) {
      Files.deleteIfExists(file);
      try (FileAuditLog log = open()) {
        log.append(List.of(Entries.runStart()));
      }
      FlakyFile disk = new FlakyFile(room);
      try (FileAuditLog log = FileAuditLog.open(file, "run-2", Entries.clock(), disk)) {
        assertPoisoned(log, "No space left on device");
      }
      try (FileAuditLog log = open()) {
        log.append(List.of(Entries.runStart()));
      }
      AuditCheck check = AuditCheck.of(file);
      assertThat(check.problem()).as("room for %d bytes", room).isEmpty();
    }
  }

  @Test
  void aFailedSyncStopsVerification() {
    FlakyFile disk = new FlakyFile(Integer.MAX_VALUE);
    try (FileAuditLog log = FileAuditLog.open(file, "run", Entries.clock(), disk)) {
      log.append(List.of(Entries.runStart()));
      disk.syncFails = true;
      assertPoisoned(log, "Input/output error");
      disk.syncFails = false;
      assertPoisoned(log, "Input/output error");
    }
  }

  @Test
  void shortWritesAreContinuedAndNoProgressIsAnError() throws IOException {
    FlakyFile disk = new FlakyFile(Integer.MAX_VALUE);
    disk.mostPerWrite = 7;
    try (FileAuditLog log = FileAuditLog.open(file, "run", Entries.clock(), disk)) {
      log.append(List.of(Entries.runStart(), Entries.observation("1")));
      assertThat(AuditCheck.of(file).records()).isEqualTo(2);
      disk.mostPerWrite = 0;
      assertPoisoned(log, "takes no more bytes");
    }
  }

  @Test
  void everyBatchIsWrittenThenSyncedBeforeAppendReturns() {
    FlakyFile disk = new FlakyFile(Integer.MAX_VALUE);
    try (FileAuditLog log = FileAuditLog.open(file, "run", Entries.clock(), disk)) {
      disk.calls.clear();
      log.append(List.of(Entries.runStart(), Entries.observation("1")));
      log.append(List.of(Entries.observation("2")));
    }
    assertThat(disk.calls).containsExactly("write", "sync", "write", "sync", "close");
  }

  @Test
  void aFileThatSomeoneElseTouchesStopsVerification() throws IOException {
    try (FileAuditLog log = open()) {
      log.append(List.of(Entries.runStart()));
      Files.writeString(file, "hello\n", StandardOpenOption.APPEND);
      assertPoisoned(log, "someone else changed or moved it");
    }
    Files.delete(file);
    try (FileAuditLog log = open()) {
      log.append(List.of(Entries.runStart()));
      Files.move(file, file.resolveSibling("old"), StandardCopyOption.REPLACE_EXISTING);
      assertPoisoned(log, "NoSuchFileException");
    }
  }

  @Test
  void anInterruptedThreadStillLeavesEvidence() {
    try (FileAuditLog log = open()) {
      Thread.currentThread().interrupt();
      log.append(List.of(Entries.runStart()));
      log.append(List.of(Entries.observation("1")));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(AuditCheck.of(file).records()).isEqualTo(2);
  }

  @Test
  void manyThreadsShareOneChain() throws InterruptedException {
    try (FileAuditLog log = open()) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Thread thread =
            new Thread(
                () -> {
                  for (int n = 0; n < 25; n++) {
                    log.append(List.of(Entries.observation("1"), Entries.observation("2")));
                  }
                });
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    AuditCheck check = AuditCheck.of(file);
    assertThat(check.isWhole()).isTrue();
    assertThat(check.records()).isEqualTo(200);
  }

  @Test
  void widerModesAreNarrowed() throws IOException {
    open().close();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    open().close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void nothingIsAppendedAfterClosing() {
    FileAuditLog log = open();
    log.close();
    log.close();
    assertThatThrownBy(() -> log.append(List.of(Entries.runStart())))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining("closed");
  }

  private void assertPoisoned(FileAuditLog log, String because) {
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> log.append(List.of(Entries.observation("1"))))
          .isInstanceOf(AuditException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining(because)
          .hasMessageContaining("start again");
    }
  }

  private FileAuditLog open() {
    return FileAuditLog.open(file, "run", Entries.clock(), AuditFile::open);
  }

  private void writeTwoBatches() {
    try (FileAuditLog log = open()) {
      log.append(List.of(Entries.runStart(), Entries.observation("1")));
      log.append(List.of(Entries.observation("2")));
    }
  }

  private static int lastLine(byte[] bytes) {
    int start = bytes.length - 1;
    while (start > 0 && bytes[start - 1] != '\n') {
      start--;
    }
    return bytes.length - start;
  }

  /** The operating system's file behind a disk that can fail. */
  private static final class FlakyFile implements AuditFile.Opener {
    private int room;
    private int mostPerWrite = Integer.MAX_VALUE;
    private boolean syncFails;
    private final List<String> calls = new ArrayList<>();

    FlakyFile(int room) {
      this.room = room;
    }

    @Override
    public AuditFile open(Path path) throws IOException {
      AuditFile real = AuditFile.open(path);
      return new AuditFile() {
        @Override
        public int write(byte[] bytes, int offset, int length) throws IOException {
          calls.add("write");
          int count = Math.min(Math.min(length, room), mostPerWrite);
          if (count == 0 && room == 0) {
            throw new IOException("No space left on device");
          }
          room -= count;
          return count == 0 ? 0 : real.write(bytes, offset, count);
        }

        @Override
        public void sync() throws IOException {
          calls.add("sync");
          if (syncFails) {
            throw new IOException("Input/output error");
          }
          real.sync();
        }

        @Override
        public long size() throws IOException {
          return real.size();
        }

        @Override
        public void close() throws IOException {
          calls.add("close");
          real.close();
        }
      };
    }
  }
}
