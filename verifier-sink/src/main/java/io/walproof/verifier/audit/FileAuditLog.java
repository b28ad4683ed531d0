package io.walproof.verifier.audit;

import io.walproof.contract.Time;
import io.walproof.verifier.model.AuditEntry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit file of a state directory. Thread-safe: batches are written one after the other, each
 * as a whole. The chain and the numbering go on over restarts; opening reads the whole file once to
 * be sure of both.
 */
public final class FileAuditLog implements AuditLog {

  private static final Logger LOG = LoggerFactory.getLogger(FileAuditLog.class);

  private final Path path;
  private final long rotateBytes;
  private final AuditFile.Opener opener;
  private final AuditEncoder encoder;
  private final Time time;
  private final EvidenceCopy copy;

  private AuditFile file;
  private long first;
  private long nextSeq;
  private String head;
  private long size;
  private AuditException failure;
  private boolean closed;

  private FileAuditLog(
      Place place, AuditFile file, String runId, Time time, AuditReader read, EvidenceCopy copy)
      throws IOException {
    this.path = place.path();
    this.rotateBytes = place.rotateBytes();
    this.opener = place.opener();
    this.file = file;
    this.first = read.firstOfFile();
    AuditChain chain = read.chain();
    this.encoder = new AuditEncoder(runId);
    this.time = time;
    this.copy = copy;
    this.nextSeq = chain.nextSeq();
    this.head = chain.head();
    this.size = file.size();
  }

  /**
   * Where it is written.
   *
   * @param rotateBytes a file that has so many is closed before the next batch, and another begun
   */
  private record Place(Path path, long rotateBytes, AuditFile.Opener opener) {}

  /**
   * Opens the state directory's audit file, creating it with mode 0600. A last line that a crash
   * cut off stays where it is and gets a {@code torn_line} record behind it.
   *
   * @param state held by this process
   * @param runId what this run's records carry
   * @throws AuditException if the file cannot be written or read
   * @throws AuditDamagedException if it was damaged anywhere else; it is left untouched then
   */
  public static FileAuditLog open(StateDirectory state, String runId, Time time) {
    return open(state, runId, time, Long.MAX_VALUE, EvidenceCopy.NONE);
  }

  /**
   * The same, with a second place for the records, which gets them after the file has them.
   *
   * @param rotateBytes a file that has so many is closed before the next batch, and another begun,
   *     in which the chain goes on; closed files are never touched again
   * @param copy closed with this log
   */
  public static FileAuditLog open(
      StateDirectory state, String runId, Time time, long rotateBytes, EvidenceCopy copy) {
    return open(new Place(state.auditFile(), rotateBytes, AuditFile::open), runId, time, copy);
  }

  static FileAuditLog open(Path path, String runId, Time time, AuditFile.Opener opener) {
    return open(path, runId, time, Long.MAX_VALUE, opener);
  }

  static FileAuditLog open(
      Path path, String runId, Time time, long rotateBytes, AuditFile.Opener opener) {
    return open(new Place(path, rotateBytes, opener), runId, time, EvidenceCopy.NONE);
  }

  private static FileAuditLog open(Place place, String runId, Time time, EvidenceCopy copy) {
    Path path = place.path();
    try {
      PrivateFiles.directory(path.toAbsolutePath().getParent());
      PrivateFiles.file(path);
      try (AuditReader reader = AuditReader.open(path)) {
        readToEnd(reader, path);
        return startBehind(reader, place, runId, time, copy);
      }
    } catch (IOException e) {
      throw new AuditException(
          "The audit file " + path + " cannot be opened (" + e + "). Check its owner and the disk.",
          e);
    }
  }

  private static void readToEnd(AuditReader reader, Path path) {
    try {
      reader.readToEnd();
    } catch (AuditDamagedException e) {
      throw new AuditDamagedException(
          reader.file(),
          e.line(),
          e.finding()
              + " Nothing was written to it. Keep it as evidence and move it away, with the closed"
              + " files beside it (mv "
              + path.getParent()
              + " "
              + path.getParent()
              + ".damaged); the next start begins a new file.");
    }
  }

  private static FileAuditLog startBehind(
      AuditReader reader, Place place, String runId, Time time, EvidenceCopy copy)
      throws IOException {
    Path path = place.path();
    AuditChain chain = reader.chain();
    byte[] unfinished = reader.takeUnfinished();
    Optional<AuditRecord> onlyNewlineMissing =
        unfinished.length > 0 ? chain.accept(unfinished) : Optional.empty();
    AuditFile file = place.opener().open(path);
    boolean opened = false;
    try {
      FileAuditLog log = new FileAuditLog(place, file, runId, time, reader, copy);
      ByteArrayOutputStream repair = new ByteArrayOutputStream();
      if (unfinished.length > 0) {
        repair.write('\n');
      }
      if (onlyNewlineMissing.isEmpty() && chain.hasFragment()) {
        LOG.warn(
            "The audit file {} ends in a line that was cut off ({} bytes): kept and marked",
            path,
            chain.fragmentBytes());
        log.addLine(
            repair,
            log.encoder.tornLine(
                log.nextSeq, log.head, time.now(), chain.fragmentBytes(), chain.fragmentSha256()));
      }
      // Synced even without a repair: a killed process may have left records in memory only, and
      // the next record's hash would vouch for them.
      log.writeAndSync(repair.toByteArray());
      opened = true;
      return log;
    } finally {
      if (!opened) {
        file.close();
      }
    }
  }

  @Override
  public synchronized void append(List<AuditEntry> entries) {
    if (failure != null) {
      throw new AuditException(failure.getMessage(), failure);
    }
    if (closed) {
      throw new AuditException("The audit file " + path + " was closed before this entry.");
    }
    if (entries.isEmpty()) {
      return;
    }
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    List<EncodedEntry> encoded = new ArrayList<>(entries.size());
    try {
      if (size >= rotateBytes) {
        rotate();
      }
      for (AuditEntry entry : entries) {
        byte[] line = encoder.encode(nextSeq, head, time.now(), entry);
        addLine(batch, line);
        encoded.add(new EncodedEntry(entry, line));
      }
      writeAndSync(batch.toByteArray());
    } catch (IOException e) {
      throw failed(
          "could not be written ("
              + e
              + "). Verification stops, because nothing may happen without evidence. Make room on"
              + " the disk or repair it, then start again: a line that was cut off is kept and"
              + " marked, and its keys are checked again.",
          e);
    } catch (RuntimeException e) {
      // The numbering has moved on without the file, so nothing more may be written.
      throw failure == null ? failed("cannot take a record (" + e + ").", e) : failure;
    }
    try {
      copy.append(encoded);
    } catch (AuditException e) {
      failure = e;
      throw e;
    }
  }

  private void addLine(ByteArrayOutputStream batch, byte[] line) {
    if (line.length > AuditFormat.MAX_LINE_BYTES) {
      throw failed(
          "cannot take a record of "
              + line.length
              + " bytes (the limit is "
              + AuditFormat.MAX_LINE_BYTES
              + "). Verify fewer tables in one run.",
          null);
    }
    batch.writeBytes(line);
    batch.write('\n');
    nextSeq++;
    head = HexFormat.of().formatHex(AuditFormat.sha256().digest(line));
  }

  private void requireUntouched() throws IOException {
    long found = file.size();
    if (found != size) {
      throw new IOException(
          "it has " + found + " bytes instead of " + size + ": someone else changed or moved it");
    }
  }

  private void writeAndSync(byte[] bytes) throws IOException {
    requireUntouched();
    int written = 0;
    while (written < bytes.length) {
      int count = file.write(bytes, written, bytes.length - written);
      if (count <= 0) {
        throw new IOException("the file takes no more bytes");
      }
      written += count;
    }
    file.sync();
    size += bytes.length;
  }

  /**
   * Closes the file and begins the next. A crash on the way leaves either the one file under its
   * old name, or it under its closed name and the next not there yet; both go on at the next start.
   */
  private void rotate() throws IOException {
    requireUntouched();
    Path closedName = AuditSegments.closed(path, first);
    if (Files.exists(closedName)) {
      throw new IOException(closedName + " is there already");
    }
    file.close();
    Files.move(path, closedName, StandardCopyOption.ATOMIC_MOVE);
    PrivateFiles.file(path);
    file = opener.open(path);
    size = 0;
    first = nextSeq;
    LOG.info("The audit file is closed as {}, and goes on in {}", closedName, path);
  }

  private AuditException failed(String what, Exception cause) {
    failure = new AuditException("The audit file " + path + " " + what, cause);
    return failure;
  }

  /** Closes the file; everything that was appended is durable already. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (copy) {
      file.close();
    } catch (IOException e) {
      throw new AuditException("The audit file " + path + " could not be closed (" + e + ").", e);
    }
  }
}
