package io.walproof.verifier.audit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates what only the owner may read. The mode is given at creation, so that there is no moment
 * with a wider one, and looked at afterwards, because access control lists and some file systems
 * overrule it. The umask can only narrow it.
 */
public final class PrivateFiles {

  private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);

  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFiles() {}

  /** Makes sure of a directory with mode 0700; a wider one is narrowed, with a warning. */
  public static void directory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      createDirectory(directory);
    }
    narrow(directory, DIRECTORY);
  }

  /** Creates a missing directory with mode 0700, and the ones above it as the umask has it. */
  static void createDirectory(Path directory) throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      Files.createDirectories(parent);
    }
    try {
      Files.createDirectory(directory, attributes(directory, DIRECTORY));
      syncDirectory(parent);
      narrow(directory, DIRECTORY);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  /** Makes sure of a file with mode 0600 and of its entry in the directory. */
  public static void file(Path file) throws IOException {
    if (!Files.exists(file)) {
      try {
        Files.createFile(file, attributes(file, FILE));
      } catch (FileAlreadyExistsException e) {
        LOG.debug("{} was created by another process in this moment", file, e);
      }
    }
    syncDirectory(file.toAbsolutePath().getParent());
    narrow(file, FILE);
  }

  private static void narrow(Path path, Set<PosixFilePermission> allowed) throws IOException {
    if (!hasModes(path)) {
      LOG.warn("{} is on a file system without permissions: protect it another way", path);
      return;
    }
    Set<PosixFilePermission> found = Files.getPosixFilePermissions(path);
    if (allowed.containsAll(found)) {
      return;
    }
    Set<PosixFilePermission> kept = EnumSet.copyOf(allowed);
    Files.setPosixFilePermissions(path, kept);
    Set<PosixFilePermission> now = Files.getPosixFilePermissions(path);
    if (!allowed.containsAll(now)) {
      throw new IOException(
          path + " is open to others (" + PosixFilePermissions.toString(now) + ") and stays so");
    }
    LOG.warn(
        "{} was open to others ({}); narrowed to {}",
        path,
        PosixFilePermissions.toString(found),
        PosixFilePermissions.toString(now));
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
    return hasModes(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  private static boolean hasModes(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Makes names in a directory durable, where the platform lets a directory be opened. */
  private static void syncDirectory(Path directory) throws IOException {
    if (directory == null || !hasModes(directory)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
