package io.walproof.verifier.audit;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What checking an audit file's chain found.
 *
 * @param file the file
 * @param lines whole lines that were read, up to the problem if there is one
 * @param records records among them whose chain holds
 * @param tornLines lines that a crash cut off and that are marked
 * @param unfinishedBytes bytes of a last line without a newline: being written at this moment, or
 *     cut off by a crash and not marked yet
 * @param head the SHA-256 of the last good record; kept elsewhere, it shows later whether the end
 *     of the file was cut off, which the file alone cannot show
 * @param problem the first line that does not belong, empty if the chain is whole
 */
public record AuditCheck(
    Path file,
    long lines,
    long records,
    long tornLines,
    long unfinishedBytes,
    String head,
    Optional<Problem> problem) {

  /**
   * A line that does not belong.
   *
   * @param file the audit's file that it is in
   * @param line the line, from 1
   * @param finding what is wrong, to follow "line N"
   */
  public record Problem(Path file, long line, String finding) {}

  /** Whether every line up to the last newline is what was written. */
  public boolean isWhole() {
    return problem.isEmpty();
  }

  /**
   * Reads the whole audit, its closed files first.
   *
   * @throws AuditException if it cannot be read or has an unknown format version
   */
  public static AuditCheck of(Path file) {
    try (AuditReader reader = AuditReader.open(file)) {
      Optional<Problem> problem = readToEnd(reader);
      return new AuditCheck(
          file,
          reader.lines(),
          reader.records(),
          reader.tornLines(),
          reader.unfinishedBytes(),
          reader.head(),
          problem);
    }
  }

  private static Optional<Problem> readToEnd(AuditReader reader) {
    try {
      reader.readToEnd();
      return reader
          .unexplainedLine()
          .map(
              line ->
                  new Problem(
                      reader.file(),
                      line,
                      "is not a record. If the run before crashed or its disk was full, the next"
                          + " start marks it; otherwise it was edited."));
    } catch (AuditDamagedException e) {
      return Optional.of(new Problem(reader.file(), e.line(), e.finding()));
    }
  }
}
