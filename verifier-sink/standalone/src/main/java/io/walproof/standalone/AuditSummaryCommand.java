package io.walproof.standalone;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Time;
import io.walproof.standalone.run.RunStatus;
import io.walproof.standalone.topic.KafkaOptions;
import io.walproof.standalone.topic.TopicSummary;
import io.walproof.verifier.audit.AuditSummary;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code walproof audit summary}. */
@Command(
    name = "summary",
    description = {
      "Counts a run's records by outcome and table, and holds them against the run's own counts.",
      "Ends with 2 for failures, 3 for incomplete checks, 4 for a halt on drift, and with 1 if the"
          + " two disagree."
    })
final class AuditSummaryCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private AuditLocation location;
  @Mixin private KafkaOptions kafka;
  @ArgGroup private RunChoice runs = new RunChoice();

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description =
          "A verify topic instead of a file: all runs on it together, or the one of --run.")
  private String topic;

  @Override
  public Integer call() {
    AuditSummary summary = topic == null ? read(location.path()) : readTopic();
    PrintWriter out = spec.commandLine().getOut();
    if (location.json()) {
      out.println(SummaryJson.of(summary, JsonMapper.builder().build()));
    } else {
      SummaryText.print(summary, out);
    }
    out.flush();
    return status(summary).code();
  }

  private AuditSummary readTopic() {
    for (String option : List.of("--file", "--state-dir")) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(
            spec.commandLine(), "--topic and " + option + " exclude each other");
      }
    }
    return TopicSummary.read(kafka.client(), topic, runs.id(), Time.system());
  }

  private AuditSummary read(Path file) {
    if (runs.all()) {
      return AuditSummary.ofAllRuns(file);
    }
    return runs.id()
        .map(id -> AuditSummary.ofRun(file, id))
        .orElseGet(() -> AuditSummary.ofLastRun(file));
  }

  static ExitStatus status(AuditSummary summary) {
    if (!summary.disagreements().isEmpty()) {
      return ExitStatus.ERROR;
    }
    long recorded = summary.exitStatus().orElse(ExitStatus.CLEAN.code());
    // What a run that failed, was killed or goes on had pending stands nowhere.
    boolean unseen =
        summary.endedAt().isEmpty()
            || recorded == ExitStatus.INCOMPLETE.code()
            || recorded == ExitStatus.ERROR.code();
    return ExitStatus.of(
        summary.total().failures()
            + summary.ranges().failed()
            + (recorded == ExitStatus.FAILURES.code() ? 1 : 0),
        summary.total().incomplete()
            + summary.ranges().open()
            + summary.notCompared().size()
            + summary.reported().map(RunStatus::notJudged).orElse(0L)
            + summary.drift().getOrDefault("gap", 0L)
            + summary.drift().getOrDefault("nothing_delivered", 0L)
            + (unseen ? 1 : 0),
        recorded == ExitStatus.DRIFT_HALT.code());
  }
}
