package io.walproof.standalone.demo;

import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.standalone.run.RunSession;
import io.walproof.standalone.run.RunSettings;
import io.walproof.standalone.run.RunStatus;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.model.Coverage;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Plays the demo from start to end. Owned by one thread. */
final class DemoRun implements Stage {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration DRAIN = Duration.ofSeconds(60);
  private static final Duration TICK = Duration.ofMillis(250);

  private final Screen screen;
  private final Time time;
  private final Evidence evidence;
  private final DemoServers servers;
  private final DemoWorkload workload;
  private final RunSettings settings;
  private final List<Coverage> endedRuns = new ArrayList<>();
  private final List<DemoReport.Line> lines = new ArrayList<>();
  private Walproof walproof;

  DemoRun(
      Screen screen,
      Time time,
      String stateDirectory,
      Function<Map<String, String>, RunSettings> settings)
      throws SQLException, IOException, TimeoutException, InterruptedException {
    this.screen = screen;
    this.time = time;
    this.evidence = new Evidence(time);
    screen.say("starting two PostgreSQL servers, joined by logical replication");
    this.servers = DemoServers.start();
    this.settings =
        settings.apply(DemoSettings.of(servers, stateDirectory, PostgresServer.SUPERUSER));
    this.workload = new DemoWorkload(servers, time);
  }

  /** Plays all injections; the report says whether each was found. */
  DemoReport play() throws SQLException, TimeoutException, InterruptedException {
    startWalproof();
    workload.start();
    screen.say("a shop writes to the source; Walproof checks every changed row on the target");
    int number = 0;
    for (Injection injection : Injections.all()) {
      number++;
      screen.say("-- " + number + ". " + injection.injected());
      Injection.Outcome outcome = injection.run(this);
      double after = (time.nanoTime() - outcome.injectedAt()) / 1e9;
      lines.add(
          new DemoReport.Line(
              injection.injected(),
              injection.expected(),
              outcome.found(),
              after,
              outcome.asExpected()));
      screen.say(
          "   " + (outcome.asExpected() ? "found: " : "NOT AS EXPECTED: ") + outcome.found());
    }
    return finish();
  }

  /** Lets the last checks end before the counts are taken. */
  private DemoReport finish() throws InterruptedException {
    workload.stop();
    screen.say("the workload ends; the last checks are made");
    long end = time.nanoTime() + DRAIN.toNanos();
    while (walproof.session().verifier().pending() > 0 && end - time.nanoTime() > 0) {
      time.sleep(TICK);
    }
    stopWalproof();
    return new DemoReport(
        List.copyOf(lines),
        Unexpected.in(evidence, workload),
        endedRuns,
        evidence.incompleteByReason(),
        io.walproof.verifier.audit.StateDirectory.auditFile(settings.stateDirectory()),
        screen.seconds());
  }

  /** Goes on after the report, until the process is stopped. */
  void keep() throws SQLException, InterruptedException {
    startWalproof();
    screen.say("left running: source " + servers.sourceUrl() + ", target " + servers.targetUrl());
    screen.say("user " + PostgresServer.SUPERUSER + ", no password; Ctrl-C ends it");
    walproof.join();
  }

  void close() throws IOException, InterruptedException {
    workload.stop();
    if (walproof != null) {
      stopWalproof();
    }
    servers.close();
  }

  @Override
  public DemoServers servers() {
    return servers;
  }

  @Override
  public Evidence evidence() {
    return evidence;
  }

  @Override
  public Time time() {
    return time;
  }

  @Override
  public Duration patience() {
    return PATIENCE;
  }

  @Override
  public void announce(String text) {
    screen.say("   " + text);
  }

  @Override
  public void startWalproof() throws InterruptedException {
    RunSession session = RunSession.start(settings, time, evidence::add);
    walproof = new Walproof(session);
    walproof.start();
  }

  @Override
  public void stopWalproof() throws InterruptedException {
    Walproof stopping = walproof;
    walproof = null;
    stopping.halt();
    stopping.session().end("stopped", () -> RunStatus.of(stopping.session(), false));
    endedRuns.add(stopping.session().verifier().total());
  }

  /** The thread that a process of its own would be: it moves the offset and shows the figures. */
  private final class Walproof extends Thread {
    private final RunSession session;
    private volatile boolean halted;

    Walproof(RunSession session) {
      super("demo-walproof");
      this.session = session;
      setDaemon(true);
    }

    RunSession session() {
      return session;
    }

    @Override
    public void run() {
      try {
        while (!halted) {
          session.tick();
          screen.figures(figures(session.verifier()));
          time.sleep(TICK);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        screen.say("Walproof has stopped: " + e.getMessage());
      }
    }

    void halt() throws InterruptedException {
      halted = true;
      join();
    }

    private String figures(Verifier verifier) {
      Coverage total = verifier.total();
      return "%,d transactions written, this run: %,d keys observed, %,d checked, %d pending, outcomes %s"
          .formatted(
              workload.transactions(),
              total.observed(),
              total.checked(),
              total.pending(),
              total.outcomes());
    }
  }
}
