package io.walproof.connector.offset;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * A position in one file of mode 0600. It is replaced by a synced temporary file, and the folder is
 * synced after, so that a crash leaves the old position or the new one. A damaged file is refused,
 * never replaced. One process at a time; the state folder's lock sees to that.
 */
public final class FilePositionStore implements PositionStore {

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path file;

  /** Guarded by this. */
  private Optional<Position> durable;

  private FilePositionStore(Path file, Optional<Position> durable) {
    this.file = file;
    this.durable = durable;
  }

  /**
   * Opens the file; its folder must exist.
   *
   * @throws PositionStoreException if the file is damaged or cannot be read
   */
  public static FilePositionStore open(Path file) {
    Path absolute = file.toAbsolutePath();
    return new FilePositionStore(absolute, PositionFile.read(absolute));
  }

  @Override
  public synchronized Optional<Position> durable() {
    return durable;
  }

  @Override
  public synchronized void write(Position position) {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.deleteIfExists(temporary);
      Files.createFile(temporary, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      // A stream, because an interrupt (a capture being closed) would close a channel.
      try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
        out.write(PositionFile.format(position));
        out.getFD().sync();
      }
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      syncFolder();
    } catch (IOException e) {
      throw new PositionStoreException(
          "cannot write the position file "
              + file
              + " ("
              + e.getClass().getSimpleName()
              + "); free space or permissions on its folder are missing",
          e);
    }
    durable = Optional.of(position);
  }

  /** There is no stream for a folder, so an interrupt is put off until the folder is synced. */
  private void syncFolder() throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        interrupted |= Thread.interrupted();
        try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
          folder.force(true);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
