package io.walproof.verifier.audit;

import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of one audit: closed ones, each named by the number of its first record, and the one
 * that is written, which has the audit's own name. The number says which file a chain goes on in.
 */
public final class AuditSegments {

  private static final Pattern CLOSED = Pattern.compile("(.+)\\.[0-9]{19}");

  private AuditSegments() {}

  /** What the file is called once it is closed. */
  static Path closed(Path audit, long first) {
    return audit.resolveSibling(
        audit.getFileName() + "." + String.format(Locale.ROOT, "%019d", first));
  }

  /** The audit that a file would be a closed one of, by its name; empty for any other name. */
  static Optional<Path> auditOf(Path file) {
    Matcher name = CLOSED.matcher(String.valueOf(file.getFileName()));
    return name.matches() ? Optional.of(file.resolveSibling(name.group(1))) : Optional.empty();
  }

  /**
   * The first closed file of an audit that begins behind a record.
   *
   * @throws IOException if the directory cannot be read
   */
  static Optional<Path> firstBehind(Path audit, long record) throws IOException {
    String due = closed(audit, record).getFileName().toString();
    return allClosed(audit).stream()
        .filter(file -> file.getFileName().toString().compareTo(due) > 0)
        .findFirst();
  }

  /**
   * All records of an audit as they stand in its files, in order and without a check. What is
   * closed at this moment is neither missed nor given twice.
   *
   * @param audit the file that is written
   * @throws IOException if a file cannot be read, or none is there
   */
  public static InputStream open(Path audit) throws IOException {
    while (true) {
      List<Path> files = all(audit);
      if (files.isEmpty()) {
        throw new NoSuchFileException(audit.toString());
      }
      Optional<InputStream> opened = open(files);
      // Names only change when a file is closed, and then one more is there.
      if (all(audit).equals(files)) {
        return opened.orElseThrow(() -> new NoSuchFileException(audit.toString()));
      }
      if (opened.isPresent()) {
        opened.get().close();
      }
    }
  }

  /** Empty if one of them has gone. */
  private static Optional<InputStream> open(List<Path> files) throws IOException {
    List<InputStream> opened = new ArrayList<>();
    boolean all = false;
    try {
      for (Path file : files) {
        opened.add(Files.newInputStream(file));
      }
      all = true;
      return Optional.of(new SequenceInputStream(Collections.enumeration(opened)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } finally {
      if (!all) {
        for (InputStream each : opened) {
          each.close();
        }
      }
    }
  }

  /**
   * All files of an audit that are there, in the order of their records.
   *
   * @param audit the file that is written
   * @throws IOException if the directory cannot be read
   */
  public static List<Path> all(Path audit) throws IOException {
    List<Path> files = new ArrayList<>(allClosed(audit));
    if (Files.exists(audit)) {
      files.add(audit);
    } else if (files.isEmpty()) {
      // The only file may have lost this name since the others were listed.
      files.addAll(allClosed(audit));
    }
    return List.copyOf(files);
  }

  private static List<Path> allClosed(Path audit) throws IOException {
    Path directory = audit.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      return List.of();
    }
    Optional<Path> name = Optional.ofNullable(audit.getFileName());
    try (Stream<Path> siblings = Files.list(directory)) {
      return siblings
          .filter(file -> name.equals(auditOf(file).map(Path::getFileName)))
          .sorted()
          .toList();
    }
  }
}
