package io.walproof.verifier.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The files of one audit: closed ones, each named by the number of its first record, and the one
 * that is written, which has the audit's own name. The number says which file a chain goes on in.
 */
public final class AuditSegments {

  private static final int DIGITS = 19;

  private AuditSegments() {}

  /** What the file is called once it is closed. */
  static Path closed(Path audit, long first) {
    return audit.resolveSibling(
        audit.getFileName() + "." + String.format(Locale.ROOT, "%019d", first));
  }

  /**
   * All files of an audit that are there, in the order of their records.
   *
   * @param audit the file that is written
   * @throws IOException if the directory cannot be read
   */
  public static List<Path> all(Path audit) throws IOException {
    String start = audit.getFileName() + ".";
    List<Path> files = new ArrayList<>();
    try (Stream<Path> siblings = Files.list(audit.toAbsolutePath().getParent())) {
      siblings.filter(file -> isClosed(file, start)).sorted().forEach(files::add);
    }
    if (Files.exists(audit)) {
      files.add(audit);
    }
    return List.copyOf(files);
  }

  private static boolean isClosed(Path file, String start) {
    String name = file.getFileName().toString();
    return name.startsWith(start)
        && name.substring(start.length()).matches("[0-9]{" + DIGITS + "}");
  }
}
