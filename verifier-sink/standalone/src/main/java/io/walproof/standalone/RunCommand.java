package io.walproof.standalone;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.connector.engine.CaptureException;
import io.walproof.contract.Time;
import io.walproof.standalone.run.RunSession;
import io.walproof.standalone.run.RunSettings;
import io.walproof.standalone.run.RunSettingsLoader;
import io.walproof.standalone.run.RunStatus;
import io.walproof.standalone.status.LiveStatus;
import io.walproof.verifier.audit.AuditSummary;
import io.walproof.verifier.core.ReplayStatus;
import io.walproof.verifier.model.Coverage;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code walproof run}. */
@Command(
    name = "run",
    description = {
      "Verifies a replicated database until it is stopped: streams the source's changes, checks"
          + " every changed row on the target, and writes the audit.",
      "SIGTERM and Ctrl-C end it in order; what is pending then is checked again by the next run."
    })
final class RunCommand implements Callable<Integer> {

  /** The end's reason in the audit when the drift policy ended the run. */
  private static final String HALTED = "halted on drift";

  private static final Duration TICK = Duration.ofMillis(200);
  private static final Duration PROGRESS = Duration.ofSeconds(10);

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "The properties file with the settings.")
  private Path config;

  @Option(
      names = "--until-idle",
      paramLabel = "DURATION",
      description =
          "End once nothing is pending, no change came in for this long, such as 30s or 2m, and the"
              + " source's WAL was streamed up to its end.",
      converter = DurationConverter.class)
  private Duration untilIdle;

  @Option(
      names = "--accept-gap",
      description =
          "Go on from the slot's position although changes between the stored position and the slot"
              + " are lost; the gap is recorded.")
  private boolean acceptGap;

  @Option(
      names = "--accept-drift",
      paramLabel = "TABLE=HASH",
      description =
          "Accept the shape that a diverted table has, in addition to drift.accept, and check the"
              + " keys that were diverted; the drift event and the log name what to write. May be"
              + " given several times.")
  private List<String> acceptDrift = List.of();

  @Option(names = "--json", description = "Print the final summary as JSON.")
  private boolean json;

  private final Time time = Time.system();

  @Override
  public Integer call() throws InterruptedException {
    RunSettings loaded = RunSettingsLoader.load(config);
    RunSettings settings = accepted(acceptGap ? loaded.acceptingGap() : loaded);
    return Termination.guard(
        settings.shutdownTimeout(),
        spec.commandLine(),
        this::progress,
        ending -> startAndVerify(settings, ending));
  }

  private RunSettings accepted(RunSettings loaded) {
    try {
      return loaded.accepting(String.join(",", acceptDrift));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--accept-drift " + e.getMessage(), e);
    }
  }

  private ExitStatus startAndVerify(RunSettings settings, Termination termination)
      throws InterruptedException {
    // First, so that an address that cannot be had ends the start before anything is touched.
    try (LiveStatus status = LiveStatus.start(settings.status(), settings.statusLimits(), time)) {
      RunSession session = RunSession.start(settings, time, entries -> {});
      termination.started();
      status.show(session);
      progress("started; audit file " + session.auditFile());
      status.url().ifPresent(url -> progress("status page " + url));
      return verify(session, termination);
    }
  }

  private ExitStatus verify(RunSession session, Termination termination)
      throws InterruptedException {
    RuntimeException failure = null;
    boolean halted = false;
    String reason = "failed";
    try {
      reason = watch(session, termination);
    } catch (CaptureException e) {
      halted = e.reason() == CaptureException.Reason.HALTED;
      if (halted) {
        reason = HALTED;
        progress(e.getMessage());
      } else {
        failure = e;
      }
    } catch (RuntimeException e) {
      failure = e;
    }
    boolean onDrift = halted;
    boolean failed = failure != null;
    try {
      session.end(reason, () -> failed ? ExitStatus.ERROR : RunStatus.of(session, onDrift));
    } catch (RuntimeException e) {
      if (failure == null) {
        throw e;
      }
      failure.addSuppressed(e);
    }
    if (failure != null) {
      throw failure;
    }
    report(session);
    return RunStatus.of(session, halted);
  }

  /** Runs until there is a reason to end, which is the result. */
  private String watch(RunSession session, Termination termination) throws InterruptedException {
    long nextProgress = time.nanoTime() + PROGRESS.toNanos();
    while (!termination.requested()) {
      session.tick();
      if (untilIdle != null && session.idleFor(untilIdle)) {
        return "idle";
      }
      if (time.nanoTime() - nextProgress >= 0) {
        nextProgress += PROGRESS.toNanos();
        progress(figures(session));
      }
      termination.awaitRequest(TICK);
    }
    progress("stopping");
    return "stopped";
  }

  private static String figures(RunSession session) {
    Coverage total = session.total();
    return String.format(
            Locale.ROOT,
            "observed %,d, checked %,d, pending %,d (on hold %,d), outcomes %s, %s, %s%s",
            total.observed(),
            total.checked(),
            total.pending(),
            session.onHold().keys(),
            total.outcomes(),
            session
                .durableLsn()
                .map(lsn -> "a restart resumes at " + lsn)
                .orElse("no position is stored yet"),
            replay(session.verifier().replayStatus()),
            session.diverted() == 0
                ? ""
                : String.format(Locale.ROOT, ", diverted %,d (drift.accept)", session.diverted()))
        + RunRangesText.figures(session.ranges());
  }

  /** A boundary is set, and waited for, only when a mismatch is rechecked. */
  static String replay(ReplayStatus replay) {
    String waits =
        replay.notConfirmed() == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d waits in vain", replay.notConfirmed());
    if (replay.confirmed() > 0) {
      return replay
              .lastConfirmed()
              .map(lsn -> "the target has replayed past " + lsn)
              .orElse("replay is not waited for (verify.replay.confirmation=none)")
          + waits;
    }
    return replay.notConfirmed() == 0
        ? "no recheck was due so far, so replay was not asked for"
        : "replay was never confirmed" + waits;
  }

  private void report(RunSession session) {
    AuditSummary summary = AuditSummary.ofRun(session.auditFile(), session.runId());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          SummaryJson.of(summary, session.ranges().figures().last(), JsonMapper.builder().build()));
    } else {
      SummaryText.print(summary, out);
      RunRangesText.print(session.ranges(), out);
    }
    out.flush();
  }

  private void progress(String text) {
    LogFormat.tell(spec.commandLine().getErr(), time, text);
  }
}
