package io.walproof.verifier.audit;

import java.nio.file.Path;

/** The audit file does not hold what was written: a line was edited, removed, moved or damaged. */
public final class AuditDamagedException extends AuditException {

  private static final long serialVersionUID = 1L;

  private final long line;
  private final String finding;

  AuditDamagedException(Path file, long line, String finding) {
    this("The audit file " + file + " is damaged: line ", line, finding);
  }

  private AuditDamagedException(String where, long line, String finding) {
    super(where + line + " " + finding);
    this.line = line;
    this.finding = finding;
  }

  /** For a record that was read from a topic. */
  static AuditDamagedException onTopic(String topic, long offset, String finding) {
    return new AuditDamagedException(
        "The topic " + topic + " holds no audit: the record at offset ", offset, finding);
  }

  /** The first line that cannot be trusted, from 1. */
  public long line() {
    return line;
  }

  /** What is wrong with it, to follow "line N". */
  public String finding() {
    return finding;
  }
}
