package io.walproof.standalone;

import io.walproof.contract.Time;
import io.walproof.standalone.settings.StatusLimits;
import io.walproof.standalone.settings.StatusListen;
import io.walproof.standalone.status.FileFeed;
import io.walproof.standalone.status.StatusModel;
import io.walproof.standalone.status.StatusServer;
import io.walproof.standalone.status.TopicFeed;
import io.walproof.standalone.topic.KafkaOptions;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.settings.Setting;
import io.walproof.verifier.settings.SettingValues;
import io.walproof.verifier.settings.StatusSettingsTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code walproof status}. */
@Command(
    name = "status",
    description = {
      "Serves the status page and /api/status from the topics of a Connect cluster, or from the"
          + " audit file of a run, until it is stopped. A run serves its own with status.listen.",
      "Reads only."
    })
final class StatusCommand implements Callable<Integer> {

  private static final Duration TICK = Duration.ofMillis(500);
  private static final Duration CLOSING = Duration.ofSeconds(5);

  @Spec private CommandSpec spec;
  @Mixin private KafkaOptions kafka;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9187",
      description =
          "Where to serve (default: ${DEFAULT-VALUE}). Anything but loopback needs a token.")
  private String listen = "127.0.0.1:9187";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "A file whose first line is what clients must send, 16 characters or more.")
  private Path tokenFile;

  @Option(
      names = "--silent-after",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "5m",
      description =
          "How long a run may write nothing before the page says that it is gone; several times its"
              + " verify.summary.interval.ms (default: ${DEFAULT-VALUE}).")
  private Duration silentAfter = Duration.ofMinutes(5);

  @Option(
      names = "--limit",
      paramLabel = "SETTING=COUNT",
      description =
          "A bound of the page's lists, such as status.tables.max=2000; the settings of that name"
              + " have the defaults. May be given several times.")
  private Map<String, String> limits = new LinkedHashMap<>();

  @ArgGroup(multiplicity = "1")
  private Evidence evidence;

  @Option(
      names = "--drift-topic",
      paramLabel = "NAME",
      description = "The source connector's drift topic, <topic.prefix>.drift.")
  private String driftTopic;

  private static final class Evidence {
    @Option(names = "--verify-topic", paramLabel = "NAME", description = "The verify topic.")
    private String topic;

    @Option(names = "--state-dir", paramLabel = "DIR", description = "A run's state.dir.")
    private Path stateDirectory;

    @Option(names = "--file", paramLabel = "FILE", description = "An audit file.")
    private Path file;
  }

  private final Time time = Time.system();

  @Override
  public Integer call() throws InterruptedException {
    StatusListen address = address();
    StatusLimits bounds = bounds();
    return Termination.guard(
        CLOSING,
        spec.commandLine(),
        text -> spec.commandLine().getErr().println(text),
        ending -> serve(address, bounds, ending));
  }

  private StatusListen address() {
    if (driftTopic != null && evidence.topic == null) {
      throw new ParameterException(spec.commandLine(), "--drift-topic goes with --verify-topic");
    }
    try {
      return StatusListen.of(listen, Optional.ofNullable(tokenFile).map(this::token));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "--listen " + e.getMessage().replace("status.token", "--token-file"));
    }
  }

  private String token(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().orElse("").strip();
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--token-file " + file + " cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  private StatusLimits bounds() {
    Map<String, Setting<?>> known = new TreeMap<>();
    StatusSettingsTable.ALL.forEach(setting -> known.put(setting.name(), setting));
    limits.forEach(
        (name, text) -> {
          if (!known.containsKey(name)) {
            throw new ParameterException(
                spec.commandLine(),
                "--limit " + name + " is none of " + String.join(", ", known.keySet()));
          }
          try {
            known.get(name).type().parse(text);
          } catch (IllegalArgumentException e) {
            throw new ParameterException(
                spec.commandLine(), "--limit " + name + " " + e.getMessage(), e);
          }
        });
    return StatusLimits.of(new SettingValues(limits)).silentAfter(silentAfter);
  }

  private ExitStatus serve(StatusListen address, StatusLimits bounds, Termination ending)
      throws InterruptedException {
    Path file =
        evidence.stateDirectory == null
            ? evidence.file
            : StateDirectory.auditFile(evidence.stateDirectory);
    StatusModel model =
        file == null
            ? StatusModel.ofTopic(bounds, evidence.topic)
            : StatusModel.ofFile(bounds, file);
    try (StatusServer server = StatusServer.start(address, time);
        AutoCloseable feed = feed(file, model)) {
      server.show(() -> model.at(time.now(), Optional.empty()));
      ending.started();
      PrintWriter out = spec.commandLine().getOut();
      out.println("status page " + server.url());
      out.flush();
      while (!ending.requested() && feed != null) {
        ending.awaitRequest(TICK);
      }
      return ExitStatus.CLEAN;
    } catch (RuntimeException | InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("closing the feed throws nothing of its own", e);
    }
  }

  private AutoCloseable feed(Path file, StatusModel model) {
    return file == null
        ? TopicFeed.start(
            kafka.client(), evidence.topic, Optional.ofNullable(driftTopic), model, time)
        : FileFeed.start(file, model, time);
  }
}
