package io.walproof.standalone.bench;

import io.walproof.connector.engine.CaptureSettings;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Runs in a JVM of its own: a plain Debezium engine until its first record. */
public final class PlainStart {

  private PlainStart() {}

  /**
   * Makes a file once the first record is there, and ends.
   *
   * @param args port, database, slot, publication, the slot's LSN, the file
   */
  public static void main(String[] args) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("database.hostname", "127.0.0.1");
    settings.put("database.port", args[0]);
    settings.put("database.dbname", args[1]);
    settings.put("database.user", PostgresServer.SUPERUSER);
    settings.put("database.password", "none-needed");
    settings.put("topic.prefix", "bench");
    settings.put("slot.name", args[2]);
    settings.put("publication.name", args[3]);
    settings.put("table.include.list", "public\\.bench");
    Meter meter = new Meter(Time.system(), 1);
    try (PlainEngine engine =
        PlainEngine.start(CaptureSettings.of(settings), Lsn.parse(args[4]), meter)) {
      meter.await(Duration.ofMinutes(10), engine::failure);
      Files.createFile(Path.of(args[5]));
    }
  }
}
