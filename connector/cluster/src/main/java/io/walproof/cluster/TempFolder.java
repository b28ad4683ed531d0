package io.walproof.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A folder below the temporary folder that goes with its owner. Not thread-safe. */
final class TempFolder {

  private final Path path;

  private TempFolder(Path path) {
    this.path = path;
  }

  static TempFolder create(String prefix) {
    try {
      return new TempFolder(Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary folder", e);
    }
  }

  Path path() {
    return path;
  }

  Path write(String name, String content) {
    try {
      return Files.writeString(path.resolve(name), content);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + name + " below " + path, e);
    }
  }

  /** Deletes the folder; a process that is just ending may still be deleting its own files. */
  void delete() {
    try {
      if (Files.exists(path)) {
        deleteTree();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  private void deleteTree() throws IOException {
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
