package io.walproof.verifier.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads an audit file record by record and checks its chain on the way. Memory is bounded by the
 * longest line. A last line without a newline may still be in the middle of being written: it is
 * held back, and read on when there is more. Owned by one thread.
 */
public final class AuditReader implements AutoCloseable {

  private static final int BUFFER_BYTES = 64 * 1024;

  private final Path file;
  private final InputStream in;
  private final AuditChain chain;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int limit;

  private AuditReader(Path file, InputStream in) {
    this.file = file;
    this.in = in;
    this.chain = new AuditChain(file);
  }

  /**
   * Opens a file.
   *
   * @throws AuditException if it is not there or cannot be read
   */
  public static AuditReader open(Path file) {
    try {
      return new AuditReader(file, Files.newInputStream(file));
    } catch (NoSuchFileException e) {
      throw new AuditException(
          "There is no audit file "
              + file
              + ". Name the state directory of a run with --state-dir, or the file with --file.",
          e);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /**
   * The next record, or empty at the end of what has been written so far; calling again later reads
   * on. Lines that a crash cut off and that are marked as such are passed over.
   *
   * @throws AuditDamagedException at the first line that does not belong
   * @throws AuditException if the file cannot be read or has an unknown version
   */
  public Optional<AuditRecord> next() {
    while (finishLine()) {
      byte[] bytes = line.toByteArray();
      line.reset();
      Optional<AuditRecord> record = chain.accept(bytes);
      if (record.isPresent()) {
        return record;
      }
    }
    return Optional.empty();
  }

  /** Reads what has been written so far, for the checks alone. */
  void readToEnd() {
    Optional<AuditRecord> record;
    do {
      record = next();
    } while (record.isPresent());
  }

  /** Whole lines read so far. */
  public long lines() {
    return chain.lines();
  }

  /** Records read so far. */
  public long records() {
    return chain.nextSeq() - 1;
  }

  /**
   * The SHA-256 of the last record in hex. It stands for the whole file up to there: whoever keeps
   * it elsewhere can tell later whether records were cut off at the end.
   */
  public String head() {
    return chain.head();
  }

  /** Cut-off lines that are marked. */
  public long tornLines() {
    return chain.tornLines();
  }

  /** Bytes of the last line so far, if it has no newline yet; otherwise zero. */
  public long unfinishedBytes() {
    return line.size();
  }

  /** The line number of whole lines at the end that are no records and not marked. */
  public Optional<Long> unexplainedLine() {
    return chain.hasFragment() ? Optional.of(chain.fragmentLine()) : Optional.empty();
  }

  /** What the last line holds so far, and gives it up. */
  byte[] takeUnfinished() {
    byte[] bytes = line.toByteArray();
    line.reset();
    return bytes;
  }

  AuditChain chain() {
    return chain;
  }

  /** Reads up to and including the next newline; false if the end comes first. */
  private boolean finishLine() {
    while (at < limit || fill()) {
      int newline = at;
      while (newline < limit && buffer[newline] != '\n') {
        newline++;
      }
      if (line.size() + (newline - at) > AuditFormat.MAX_LINE_BYTES) {
        throw new AuditDamagedException(
            file, chain.lines() + 1, "is longer than any record can be.");
      }
      line.write(buffer, at, newline - at);
      at = newline + 1;
      if (newline < limit) {
        return true;
      }
      at = limit;
    }
    return false;
  }

  private boolean fill() {
    try {
      at = 0;
      limit = Math.max(0, in.read(buffer));
      return limit > 0;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static AuditException unreadable(Path file, IOException e) {
    return new AuditException(
        "The audit file " + file + " cannot be read (" + e + "). Check its owner and the disk.", e);
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }
}
