package io.walproof.standalone.bench;

import io.walproof.connector.emit.Delivery;
import io.walproof.connector.engine.CaptureEngine;
import io.walproof.connector.engine.CaptureSettings;
import io.walproof.connector.offset.FilePositionStore;
import io.walproof.contract.Lsn;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * The capture with tap, history and translation, beside a plain Debezium engine, in turns on the
 * same backlog.
 */
final class EngineBench {

  private static final double AT_LEAST = 0.95;
  private static final double CPU_BELOW = 1.2;
  private static final int ROWS_PER_TRANSACTION = 1_000;
  private static final Duration LONGEST_RUN = Duration.ofMinutes(10);

  private final Time time;
  private final Progress progress;

  EngineBench(Time time, Progress progress) {
    this.time = time;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param changes about how many; made a multiple of two transactions
   * @param rounds runs of each engine that count; one more of each comes first, to warm up
   */
  List<Finding> run(int changes, int rounds)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    int rows = Math.max(1, Math.min(ROWS_PER_TRANSACTION, changes / 8));
    int transactions = Math.max(2, changes / rows / 2 * 2);
    progress.say("engine: making a backlog of %,d changes", (long) transactions * rows);
    List<Double> plain = new ArrayList<>();
    List<Double> capture = new ArrayList<>();
    List<Double> plainCpu = new ArrayList<>();
    List<Double> captureCpu = new ArrayList<>();
    try (Backlog backlog = Backlog.make(transactions, rows)) {
      for (int round = 0; round <= rounds; round++) {
        Run bare = plain(backlog);
        Run ours = capture(backlog);
        if (round == 0) {
          progress.say(
              "engine: warm-up: plain %,.0f, capture %,.0f changes/s",
              bare.perSecond(), ours.perSecond());
        } else {
          plain.add(bare.perSecond());
          capture.add(ours.perSecond());
          plainCpu.add(bare.cpuPerMillion(backlog));
          captureCpu.add(ours.cpuPerMillion(backlog));
          progress.say(
              "engine: round %d: plain %,.0f, capture %,.0f changes/s; source CPU %.1f and %.1f s a"
                  + " million",
              round,
              bare.perSecond(),
              ours.perSecond(),
              bare.cpuPerMillion(backlog),
              ours.cpuPerMillion(backlog));
        }
      }
    }
    return List.of(
        Finding.ratio(
            Bench.ENGINE,
            "throughput of capture over plain Debezium",
            AT_LEAST,
            new Sample("capture_changes_per_second", capture),
            new Sample("plain_changes_per_second", plain)),
        Finding.below(
            Bench.ENGINE,
            "source CPU of the sender over plain Debezium's",
            CPU_BELOW,
            new Sample("capture_source_cpu_seconds_per_million_changes", captureCpu),
            new Sample("plain_source_cpu_seconds_per_million_changes", plainCpu)));
  }

  /**
   * One run.
   *
   * @param perSecond changes a second
   * @param senderCpu what the source took to decode and send them, in seconds
   */
  private record Run(double perSecond, double senderCpu) {
    double cpuPerMillion(Backlog backlog) {
      return senderCpu * 1e6 / backlog.changes();
    }
  }

  private Run plain(Backlog backlog)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    String slot = backlog.slots().copy();
    Meter meter = new Meter(time, backlog.changes());
    double cpu;
    try (PlainEngine engine =
        PlainEngine.start(settings(backlog, slot), Lsn.parse(backlog.slots().start()), meter)) {
      meter.await(LONGEST_RUN, engine::failure);
      cpu = backlog.senderCpu(slot);
    }
    backlog.slots().drop(slot);
    return new Run(meter.perSecond(), cpu);
  }

  private Run capture(Backlog backlog)
      throws IOException, SQLException, TimeoutException, InterruptedException {
    String slot = backlog.slots().copy();
    Meter meter = new Meter(time, backlog.changes());
    double cpu;
    try (TemporaryState state = TemporaryState.create();
        CaptureEngine engine =
            CaptureEngine.start(
                settings(backlog, slot),
                FilePositionStore.open(state.path().resolve("offsets.json")),
                batch -> meter.add(changes(batch)),
                time)) {
      meter.await(LONGEST_RUN, engine::failure);
      cpu = backlog.senderCpu(slot);
    }
    backlog.slots().drop(slot);
    return new Run(meter.perSecond(), cpu);
  }

  private static int changes(List<Delivery> batch) {
    int changes = 0;
    for (Delivery delivery : batch) {
      if (delivery.key().isPresent()) {
        changes++;
      }
    }
    return changes;
  }

  private static CaptureSettings settings(Backlog backlog, String slot) {
    Map<String, String> settings = new HashMap<>();
    settings.put("database.hostname", "127.0.0.1");
    settings.put("database.port", Integer.toString(backlog.port()));
    settings.put("database.dbname", Backlog.DATABASE);
    settings.put("database.user", PostgresServer.SUPERUSER);
    settings.put("database.password", "none-needed");
    settings.put("topic.prefix", "bench");
    settings.put("slot.name", slot);
    settings.put("publication.name", Backlog.PUBLICATION);
    settings.put("table.include.list", "public\\.bench");
    return CaptureSettings.of(settings);
  }
}
