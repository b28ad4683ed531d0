package io.walproof.verifier.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Follows an audit's chain line by line, over its files, and refuses the first line that does not
 * belong. Lines that are no JSON object may be what a crash cut off; they are accepted once a
 * {@code torn_line} record with their length and hash follows, and not otherwise. Owned by one
 * thread; constant memory.
 */
final class AuditChain {

  private Path file;
  private long linesBefore;
  private long lines;
  private long nextSeq = 1;
  private String head = AuditFormat.NO_PREVIOUS;
  private long tornLines;

  private MessageDigest fragment;
  private long fragmentBytes;
  private long fragmentLine;

  AuditChain(Path file) {
    this.file = file;
  }

  /**
   * Takes the next line, without its newline.
   *
   * @return the record, or empty for a line that only a later {@code torn_line} can explain
   * @throws AuditDamagedException if the line does not belong here
   */
  Optional<AuditRecord> accept(byte[] line) {
    lines++;
    Optional<JsonNode> json = RecordParser.object(line);
    if (json.isEmpty()) {
      addToFragment(line);
      return Optional.empty();
    }
    AuditRecord record = RecordParser.ofFile(file, lines, line, json.get());
    checkFragment(record);
    checkPlace(record);
    nextSeq = record.seq() + 1;
    head = HexFormat.of().formatHex(AuditFormat.sha256().digest(line));
    return Optional.of(record);
  }

  /** The lines that follow are another file's. */
  void goOnIn(Path next) {
    linesBefore += lines;
    lines = 0;
    file = next;
  }

  /** Lines taken so far, of all files. */
  long lines() {
    return linesBefore + lines;
  }

  /** Lines of the present file taken so far. */
  long line() {
    return lines;
  }

  /** The number that the next record must have. */
  long nextSeq() {
    return nextSeq;
  }

  /** The hash of the last record's line, which the next record must carry. */
  String head() {
    return head;
  }

  /** Cut-off pieces that are marked as such. */
  long tornLines() {
    return tornLines;
  }

  /** Bytes since the last record that are no record, with newlines between but not at the end. */
  long fragmentBytes() {
    return fragmentBytes;
  }

  /** Whether lines are held that no {@code torn_line} has explained yet. */
  boolean hasFragment() {
    return fragment != null;
  }

  /** The first of them. */
  long fragmentLine() {
    return fragmentLine;
  }

  /** The hash of those bytes. */
  String fragmentSha256() {
    try {
      return HexFormat.of().formatHex(((MessageDigest) fragment.clone()).digest());
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the platform's SHA-256 can be cloned", e);
    }
  }

  private void addToFragment(byte[] line) {
    if (fragment == null) {
      fragment = AuditFormat.sha256();
      fragmentLine = lines;
    } else {
      fragment.update((byte) '\n');
      fragmentBytes++;
    }
    fragment.update(line);
    fragmentBytes += line.length;
  }

  private void checkFragment(AuditRecord record) {
    boolean mark = record.type() == AuditType.TORN_LINE;
    if (fragment == null) {
      if (mark) {
        throw damaged(lines, "marks a line as cut off, but the line before is whole.");
      }
      return;
    }
    if (!mark) {
      throw damaged(fragmentLine, "is not a record, and nothing marks it as cut off by a crash.");
    }
    if (record.json().path("bytes").asLong(-1) != fragmentBytes
        || !fragmentSha256().equals(record.json().path("sha256").textValue())) {
      throw damaged(
          fragmentLine, "was cut off by a crash and edited after that: its mark does not fit.");
    }
    fragment = null;
    fragmentBytes = 0;
    tornLines++;
  }

  private void checkPlace(AuditRecord record) {
    long seq = record.seq();
    if (seq > nextSeq) {
      throw damaged(
          lines,
          "has number " + seq + " where " + nextSeq + " is due: " + (seq - nextSeq) + " missing.");
    }
    if (seq < nextSeq) {
      throw damaged(
          lines, "has number " + seq + " where " + nextSeq + " is due: repeated or moved.");
    }
    if (!head.equals(record.json().path("prev").textValue())) {
      if (lines == 1) {
        throw damaged(
            1,
            linesBefore == 0
                ? "does not begin a chain: lines before it are missing."
                : "does not go on where the file before it ends: one of the two was edited.");
      }
      throw damaged(
          lines - 1,
          "was edited after it was written, or line " + lines + " was: its hash does not fit.");
    }
  }

  private AuditDamagedException damaged(long line, String finding) {
    return new AuditDamagedException(file, line, finding);
  }
}
