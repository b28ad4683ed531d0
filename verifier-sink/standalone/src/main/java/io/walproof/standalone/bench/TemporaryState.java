package io.walproof.standalone.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A state directory that is gone afterwards.
 *
 * @param path where it is
 */
record TemporaryState(Path path) implements AutoCloseable {

  static TemporaryState create() throws IOException {
    return new TemporaryState(Files.createTempDirectory("walproof-bench"));
  }

  @Override
  public void close() throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> paths = Files.walk(path)) {
      deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : deepestFirst) {
      Files.deleteIfExists(each);
    }
  }
}
