package io.walproof.standalone.docs;

import io.walproof.standalone.status.MonitoringFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The documents that people read. */
final class DocFiles {

  private DocFiles() {}

  static Path config(String name) {
    return MonitoringFiles.config().resolve(name);
  }

  static Path readme() {
    return MonitoringFiles.config().resolveSibling("README.md");
  }

  /** README and everything in {@code config/}. */
  static List<Path> all() throws IOException {
    try (Stream<Path> config = Files.list(MonitoringFiles.config())) {
      return Stream.concat(
              Stream.of(readme()),
              config.filter(file -> file.getFileName().toString().endsWith(".md")).sorted())
          .toList();
    }
  }

  /** The texts of a document's headings of one level, as they stand there. */
  static List<String> headings(Path file, int level) throws IOException {
    String mark = "#".repeat(level) + " ";
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(mark))
        .map(line -> line.substring(mark.length()).strip())
        .toList();
  }

  /** What links to a document's headings are called, as GitHub makes them. */
  static List<String> anchors(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> line.matches("#+ .*"))
        .map(line -> line.replaceFirst("#+ ", "").strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^a-z0-9_ -]", "").replace(' ', '-'))
        .toList();
  }

  /** The word of a constant in records. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
