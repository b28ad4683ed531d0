package io.walproof.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** Builds a streaming hot standby of a running server: the file copy of an online base backup. */
public final class Standby {

  /** What a base backup leaves out: the server's own run-time state, and WAL, which is streamed. */
  private static final Set<String> EMPTIED =
      Set.of(
          "pg_wal",
          "pg_replslot",
          "pg_dynshmem",
          "pg_notify",
          "pg_serial",
          "pg_snapshots",
          "pg_stat_tmp",
          "pg_subtrans");

  private static final Set<String> LEFT_OUT =
      Set.of("postmaster.pid", "postmaster.opts", "backup_label", "epg-lock");

  private Standby() {}

  /** A standby that streams from the server; the caller closes it, before the server. */
  public static PostgresServer of(PostgresServer primary) throws IOException, SQLException {
    Path home = Files.createTempDirectory("walproof-standby");
    Path data = home.resolve("data");
    try (Connection connection = primary.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_backup_start('standby', true)");
      copy(primary.dataDirectory(), data);
      try (ResultSet stop = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
        stop.next();
        Files.writeString(data.resolve("backup_label"), stop.getString(1));
      }
    }
    Files.createFile(data.resolve("standby.signal"));
    Files.writeString(
        data.resolve("postgresql.auto.conf"),
        "\nprimary_conninfo = 'host=127.0.0.1 port="
            + primary.port()
            + " user="
            + PostgresServer.SUPERUSER
            + "'\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    return primary.sameSettings().home(home).start();
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Path relative = from.relativize(folder);
            if (relative.getNameCount() > 1 && relative.startsWith("pg_replslot")) {
              // A slot's folder without its state keeps a server from starting.
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectory(
                to.resolve(relative.toString()),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path relative = from.relativize(file);
            boolean runtime =
                EMPTIED.contains(relative.getName(0).toString())
                    || LEFT_OUT.contains(relative.toString());
            if (!runtime) {
              copyIfThere(file, to.resolve(relative.toString()));
            }
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
        });
  }

  /** A running server deletes files meanwhile; replaying its WAL makes up for them. */
  private static void copyIfThere(Path file, Path copy) throws IOException {
    try {
      Files.copy(file, copy);
    } catch (NoSuchFileException e) {
      Files.deleteIfExists(copy);
    }
  }
}
