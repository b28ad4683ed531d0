package io.walproof.verifier.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads an audit record by record, from its first file to the one that is written, and checks its
 * chain on the way. Memory is bounded by the longest line. A last line without a newline may still
 * be in the middle of being written: it is held back, and read on when there is more. Owned by one
 * thread.
 */
public final class AuditReader implements AutoCloseable {

  private static final int BUFFER_BYTES = 64 * 1024;

  private final Path audit;
  private final AuditChain chain;
  private Path file;
  private InputStream in;
  private long first = 1;
  private boolean closed;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int limit;

  private AuditReader(Path audit) {
    this.audit = audit;
    this.file = audit;
    this.chain = new AuditChain(audit);
  }

  /**
   * Opens an audit.
   *
   * @param audit the file that is written; those closed before it lie beside it
   * @throws AuditException if it is not there, is one of the closed files, or cannot be read
   */
  public static AuditReader open(Path audit) {
    AuditSegments.auditOf(audit)
        .ifPresent(
            whole -> {
              throw new AuditException(
                  audit
                      + " is a closed file of an audit, and no audit by itself. Name the audit, "
                      + whole
                      + ": its closed files beside it are read too.");
            });
    AuditReader reader = new AuditReader(audit);
    if (!reader.openFileOf(1)) {
      throw new AuditException(
          "There is no audit file "
              + audit
              + ". Name the state directory of a run with --state-dir, or the file with --file.");
    }
    return reader;
  }

  /**
   * Opens the file that begins with the record; false if it is not there yet. The file that is
   * written may be closed, and get another name, at any moment.
   */
  private boolean openFileOf(long record) {
    Path itsName = AuditSegments.closed(audit, record);
    while (true) {
      boolean already = Files.exists(itsName);
      Path candidate = already ? itsName : audit;
      InputStream opened;
      try {
        opened = Files.newInputStream(candidate);
      } catch (NoSuchFileException e) {
        // Neither: nothing was written since the last one was closed, or it is closed right now.
        if (Files.exists(itsName)) {
          continue;
        }
        return false;
      } catch (IOException e) {
        throw unreadable(candidate, e);
      }
      if (already || !Files.exists(itsName)) {
        close();
        in = opened;
        file = candidate;
        first = record;
        closed = already;
        return true;
      }
      close(opened);
    }
  }

  /** Goes on in the next file, if this one is at its end for good. */
  private boolean moveOn() {
    if (!closed) {
      closed = Files.exists(AuditSegments.closed(audit, first));
      if (!closed && chain.nextSeq() == first) {
        closed = requireNothingBehind(first);
      }
      // Nothing was added after it was closed, but perhaps between the last look and that.
      return closed;
    }
    long next = chain.nextSeq();
    if (next == first) {
      throw new AuditDamagedException(file, 1, "is missing: a closed file holds a record.");
    }
    if (line.size() > 0) {
      throw new AuditDamagedException(
          file, chain.line() + 1, "was cut off: a closed file ends with a whole line.");
    }
    if (!openFileOf(next)) {
      requireNothingBehind(next);
      return false;
    }
    chain.goOnIn(file);
    return true;
  }

  /**
   * Where the next record is due and not there, a closed file with later ones shows that a file was
   * taken away: an audit that only has no more records has none.
   *
   * @return whether the file that begins with the record was closed meanwhile
   */
  private boolean requireNothingBehind(long record) {
    Optional<Path> behind;
    try {
      behind = AuditSegments.firstBehind(audit, record);
    } catch (IOException e) {
      throw unreadable(audit, e);
    }
    Path due = AuditSegments.closed(audit, record);
    boolean there = Files.exists(due);
    if (behind.isPresent() && !there) {
      throw new AuditDamagedException(
          file,
          chain.line() + 1,
          "is missing: the file with it, "
              + due.getFileName()
              + ", is not there, and "
              + behind.get().getFileName()
              + " is.");
    }
    return there;
  }

  /**
   * The next record, or empty at the end of what has been written so far; calling again later reads
   * on. Lines that a crash cut off and that are marked as such are passed over.
   *
   * @throws AuditDamagedException at the first line that does not belong
   * @throws AuditException if the file cannot be read or has an unknown version
   */
  public Optional<AuditRecord> next() {
    while (reachesLine()) {
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

  /** The number of the first record of the file that is being read. */
  long firstOfFile() {
    return first;
  }

  /** The file that is being read. */
  public Path file() {
    return file;
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

  private boolean reachesLine() {
    boolean found = finishLine();
    while (!found && moveOn()) {
      found = finishLine();
    }
    return found;
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
            file, chain.line() + 1, "is longer than any record can be.");
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
    if (in != null) {
      close(in);
    }
  }

  private void close(InputStream opened) {
    try {
      opened.close();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }
}
