package io.walproof.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A folder for a worker's {@code plugin.path}, each plugin isolated in its own. */
public final class PluginFolder implements AutoCloseable {

  /** Starts of jar names that a plugin leaves to its worker. */
  private static final Set<String> OWNED_BY_THE_WORKER =
      Set.of(
          "kafka-clients",
          "kafka_2",
          "kafka-",
          "connect-api",
          "connect-runtime",
          "slf4j-api",
          "zstd-jni",
          "lz4-java",
          "snappy-java",
          "jakarta.ws.rs",
          "jackson-core",
          "jackson-databind",
          "jackson-annotations",
          "logback");

  private final TempFolder folder = TempFolder.create("walproof-plugins");

  /** An empty folder. */
  public PluginFolder() {
    Runtime.getRuntime().addShutdownHook(new Thread(folder::delete, "plugins-deleter"));
  }

  /** For {@link WorkerSettings#pluginPath}. */
  public Path path() {
    return folder.path();
  }

  /** Unpacks an archive as it is delivered. */
  public PluginFolder unpack(Path archive) {
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path to = folder.path().resolve(entry.getName()).normalize();
        if (!to.startsWith(folder.path())) {
          throw new IOException("the archive leads out of its folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(to);
        } else {
          Files.createDirectories(to.getParent());
          Files.copy(zip, to);
        }
      }
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack " + archive, e);
    }
  }

  /** Copies jars into a plugin of that name. */
  public PluginFolder add(String name, List<Path> jars) {
    try {
      Path plugin = Files.createDirectories(folder.path().resolve(name));
      for (Path jar : jars) {
        Files.copy(jar, plugin.resolve(jar.getFileName()));
      }
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot add the plugin " + name, e);
    }
  }

  /**
   * Makes a plugin of this JVM's class path: class folders become jars, test classes and what a
   * worker owns are left out. For tests of a module whose archive is not built yet.
   */
  public PluginFolder addClassPath(String name) {
    try {
      Path plugin = Files.createDirectories(folder.path().resolve(name));
      int folders = 0;
      for (Path entry : ClassPath.everything()) {
        if (Files.isDirectory(entry) && !entry.endsWith("test-classes")) {
          jar(entry, plugin.resolve("classes-" + folders++ + ".jar"));
        } else if (Files.isRegularFile(entry) && !isOwnedByTheWorker(entry)) {
          Files.copy(entry, plugin.resolve(entry.getFileName()));
        }
      }
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot add the plugin " + name, e);
    }
  }

  @Override
  public void close() {
    folder.delete();
  }

  private static boolean isOwnedByTheWorker(Path jar) {
    String name = jar.getFileName().toString().toLowerCase(Locale.ROOT);
    return OWNED_BY_THE_WORKER.stream().anyMatch(name::startsWith);
  }

  private static void jar(Path classes, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        try (InputStream in = Files.newInputStream(file)) {
          in.transferTo(out);
        }
        out.closeEntry();
      }
    }
  }
}
