package io.walproof.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Class paths of child JVMs. */
public final class ClassPath {

  private ClassPath() {}

  /**
   * This JVM's libraries without what a plugin would bring: no class folders, no Walproof and no
   * Debezium jars, so that a worker finds those in its plugin path only.
   */
  public static List<Path> ofThisJvm() {
    List<Path> entries = new ArrayList<>();
    for (Path entry : everything()) {
      String name = entry.getFileName().toString();
      boolean plugin = name.startsWith("walproof-") || name.startsWith("debezium-");
      if (name.endsWith(".jar") && !plugin) {
        entries.add(entry);
      }
    }
    return withLeash(entries);
  }

  /** All jars of a folder, for a worker of another version. */
  public static List<Path> ofFolder(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return withLeash(
          files.filter(file -> file.getFileName().toString().endsWith(".jar")).sorted().toList());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder, e);
    }
  }

  /** Every entry of this JVM's class path. */
  static List<Path> everything() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  private static List<Path> withLeash(List<Path> entries) {
    try {
      List<Path> all = new ArrayList<>();
      all.add(Path.of(Leash.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
      all.addAll(entries);
      return List.copyOf(all);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("this module's own classes cannot be located", e);
    }
  }
}
