package io.walproof.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where child JVMs log. */
final class ChildLog {

  /** A folder that outlives the test, so that a failure elsewhere can be looked into. */
  private static final String FOLDER_PROPERTY = "walproof.children.logs";

  private ChildLog() {}

  /** A file in the folder of the property, or in the child's own, which goes with it. */
  static Path file(TempFolder home, String name) {
    String folder = System.getProperty(FOLDER_PROPERTY);
    if (folder == null) {
      return home.path().resolve(name + ".log");
    }
    try {
      return Files.createDirectories(Path.of(folder)).resolve(name + ".log");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + folder, e);
    }
  }
}
