package io.walproof.verifier.audit;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The few file operations that the log needs, so that tests can make each of them fail. */
interface AuditFile extends AutoCloseable {

  /** Appends some of the bytes, at least one, and returns how many. */
  int write(byte[] bytes, int offset, int length) throws IOException;

  /** Returns once everything written is on stable storage. */
  void sync() throws IOException;

  /** The size in bytes of the file that now has the path. */
  long size() throws IOException;

  @Override
  void close() throws IOException;

  /** Opens an existing file for appending. */
  @FunctionalInterface
  interface Opener {
    AuditFile open(Path file) throws IOException;
  }

  /**
   * The operating system's file. A {@code FileChannel} would be closed for good when its thread is
   * interrupted, and with it the chance to record the run's end; a stream is not.
   */
  static AuditFile open(Path file) throws IOException {
    FileOutputStream out = new FileOutputStream(file.toFile(), true);
    return new AuditFile() {
      @Override
      public int write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        return length;
      }

      @Override
      public void sync() throws IOException {
        out.getFD().sync();
      }

      @Override
      public long size() throws IOException {
        return Files.size(file);
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }
}
