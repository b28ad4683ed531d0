package io.walproof.verifier.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The directory with a run's state (offsets, audit), held by one process at a time. The lock is the
 * operating system's and goes with the process, however it ends; the lock file itself stays.
 */
public final class StateDirectory implements AutoCloseable {

  private static final int LONGEST_PID = 20;

  private final Path path;
  private final FileChannel channel;

  private StateDirectory(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** Where a state directory keeps its audit file; for readers, who need no lock. */
  public static Path auditFile(Path stateDirectory) {
    return stateDirectory.resolve("log").resolve("verify-audit.jsonl");
  }

  /**
   * Creates the directory with mode 0700 if it is not there (one that is there keeps its mode, what
   * is put into it is private anyway) and takes hold of it until {@link #close()}.
   *
   * @throws StateDirectoryException if another process holds it, or it cannot be written
   */
  public static StateDirectory open(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    Path lockFile = absolute.resolve("lock");
    try {
      if (!Files.isDirectory(absolute)) {
        PrivateFiles.createDirectory(absolute);
      }
      PrivateFiles.file(lockFile);
      return new StateDirectory(absolute, lock(absolute, lockFile));
    } catch (IOException e) {
      throw new StateDirectoryException(
          "The state directory "
              + absolute
              + " cannot be used ("
              + e
              + "). state.dir must name a directory that this user may write.",
          e);
    }
  }

  private static FileChannel lock(Path directory, Path lockFile) throws IOException {
    FileChannel channel =
        FileChannel.open(lockFile, StandardOpenOption.READ, StandardOpenOption.WRITE);
    boolean held = false;
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(directory, " by process " + holder(channel));
      }
      held = true;
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
      return channel;
    } catch (OverlappingFileLockException e) {
      StateDirectoryException inUse = inUse(directory, " by this process");
      inUse.addSuppressed(e);
      throw inUse;
    } finally {
      if (!held) {
        channel.close();
      }
    }
  }

  private static StateDirectoryException inUse(Path directory, String by) {
    return new StateDirectoryException(
        "The state directory "
            + directory
            + " is in use"
            + by
            + ". Stop that one first, or give each its own state.dir.");
  }

  /** The number that the holder left in the file, for people; not to be relied on. */
  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(LONGEST_PID);
    int length = Math.max(0, channel.read(buffer, 0));
    String text = new String(buffer.array(), 0, length, StandardCharsets.US_ASCII);
    return text.matches("[0-9]+") ? text : "(unknown)";
  }

  /** The directory, absolute. */
  public Path path() {
    return path;
  }

  /** The audit file, whether or not it is there yet. */
  public Path auditFile() {
    return auditFile(path);
  }

  /** Lets go of the directory. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new StateDirectoryException(
          "The state directory " + path + " could not be let go of (" + e + ").", e);
    }
  }
}
