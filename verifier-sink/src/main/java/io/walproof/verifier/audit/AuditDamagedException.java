package io.walproof.verifier.audit;

import java.nio.file.Path;

/** The audit file does not hold what was written: a line was edited, removed, moved or damaged. */
public final class AuditDamagedException extends AuditException {

  private static final long serialVersionUID = 1L;

  private final long line;
  private final String finding;

  AuditDamagedException(Path file, long line, String finding) {
    super("The audit file " + file + " is damaged: line " + line + " " + finding);
    this.line = line;
    this.finding = finding;
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
