import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Fetches the pinned Maven from the project's own archive, checks it, and unpacks it. Run as a
 * single source file by {@code mvnw}, so that a JDK is all it takes.
 */
final class FetchMaven {

  /** SHA-512 of apache-maven-3.9.11-bin.zip. */
  private static final String SHA512 = "03e2d65d4483a3396980629f260e25cac0d8b6f7f2791e4dc20bc83f9514db8d0f05b0479e699a5f34679250c49c8e52e961262ded468a20de0be254d8207076";

  private static final String ARCHIVE = "https://archive.apache.org/dist/maven/maven-3/";

  private FetchMaven() {}

  public static void main(String[] args) throws Exception {
    String version = args[0];
    Path into = Files.createDirectories(Path.of(args[1]));
    String from =
        System.getenv()
            .getOrDefault(
                "MAVEN_DISTRIBUTION_URL",
                ARCHIVE + version + "/binaries/apache-maven-" + version + "-bin.zip");
    Path zip = Files.createTempFile(into, "maven", ".zip");
    Path unpacked = Files.createTempDirectory(into, "unpacked");
    try {
      System.out.println("fetching Maven " + version + " once from " + from);
      fetch(from, zip);
      unpack(zip, unpacked);
      String name = "apache-maven-" + version;
      Files.move(unpacked.resolve(name), into.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      System.out.println(
          "Maven could not be fetched ("
              + e
              + "). Install Maven 3.8 or newer, or set MAVEN_DISTRIBUTION_URL to where"
              + " apache-maven-"
              + version
              + "-bin.zip can be had.");
      System.exit(1);
    } finally {
      Files.deleteIfExists(zip);
      Files.deleteIfExists(unpacked);
    }
  }

  private static void fetch(String from, Path zip) throws Exception {
    URL url = URI.create(from).toURL();
    var connection = url.openConnection();
    connection.setConnectTimeout(20_000);
    connection.setReadTimeout(60_000);
    try (InputStream in = connection.getInputStream()) {
      Files.copy(in, zip, StandardCopyOption.REPLACE_EXISTING);
    }
    byte[] hash = MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(zip));
    String found = HexFormat.of().formatHex(hash);
    if (!found.equals(SHA512)) {
      throw new IOException("what came is not that version: its SHA-512 is " + found);
    }
  }

  private static void unpack(Path zip, Path into) throws IOException {
    try (ZipFile file = new ZipFile(zip.toFile())) {
      Enumeration<? extends ZipEntry> entries = file.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        Path target = into.resolve(entry.getName()).normalize();
        if (!target.startsWith(into)) {
          throw new IOException("an entry leads out of the archive");
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          try (InputStream in = file.getInputStream(entry)) {
            Files.copy(in, target);
          }
          if (target.getParent().endsWith("bin")) {
            target.toFile().setExecutable(true);
          }
        }
      }
    }
  }
}
