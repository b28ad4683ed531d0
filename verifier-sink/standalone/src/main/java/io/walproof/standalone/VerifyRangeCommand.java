package io.walproof.standalone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.walproof.contract.Time;
import io.walproof.standalone.run.OffsetSource;
import io.walproof.standalone.run.RangeReport;
import io.walproof.standalone.run.RangeRequest;
import io.walproof.standalone.run.RangeRunSettings;
import io.walproof.standalone.run.RangeSession;
import io.walproof.standalone.run.RunSettingsLoader;
import io.walproof.standalone.run.TablePattern;
import io.walproof.verifier.range.OffsetClaims;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.KeyRange.Bound;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code walproof verify-range}. */
@Command(
    name = "verify-range",
    description = {
      "Compares whole tables, or ranges of their keys, by digests of every row, and checks each row"
          + " that differs as 'run' checks a changed one.",
      "Needs no slot. A check that ends early is continued by the next one of the same tables and"
          + " bounds."
    })
final class VerifyRangeCommand implements Callable<Integer> {

  private static final Duration TICK = Duration.ofMillis(200);
  private static final Duration PROGRESS = Duration.ofSeconds(10);
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "The properties file with the settings, as for 'run'.")
  private Path config;

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description =
          "A table such as public.orders, or a pattern such as 'public.ord*'; may be repeated.")
  private List<String> tables = new ArrayList<>();

  @Option(names = "--all", description = "Every table that the pipeline carries.")
  private boolean all;

  @Option(
      names = "--claim-offsets",
      paramLabel = "URL|FILE",
      description =
          "What the offset of a Debezium PostgreSQL connector claims to have delivered: through"
              + " Connect, such as http://host:8083/connectors/NAME, or from an offset file. Of tables"
              + " that a snapshot's cursor does not list, those that --table names.")
  private String claimOffsets;

  @Option(
      names = "--claim-connector",
      paramLabel = "NAME",
      description = "Which connector's, where the offset file holds several.")
  private String claimConnector;

  @Option(
      names = "--claim-initial-snapshot",
      description =
          "The connector's initial snapshot copied all of its tables. The offset of a connector that"
              + " streams does not show it.")
  private boolean claimInitialSnapshot;

  @Option(
      names = "--claim-zone",
      paramLabel = "ZONE",
      description =
          "The time zone of the connector's JVM, such as Pacific/Auckland, where a cursor's key has"
              + " a date that it decides.")
  private ZoneId claimZone;

  @Option(
      names = "--from",
      paramLabel = "KEY",
      description =
          "The first key, inclusive, as the column's text; for a key of several columns a JSON array"
              + " in the key's order.")
  private String from;

  @Option(names = "--to", paramLabel = "KEY", description = "The last key, inclusive.")
  private String to;

  @Option(
      names = "--deadline",
      paramLabel = "DURATION",
      description = "End after this long, such as 30m; what is left then is incomplete.",
      converter = DurationConverter.class)
  private Duration deadline;

  @Option(
      names = "--exact",
      description =
          "Look for evidence that nobody writes to a table while it is read (verify.range.exact);"
              + " takes a temporary slot on the source for as long.")
  private boolean exact;

  @Option(
      names = "--restart",
      description = "Begin anew instead of continuing an earlier check that ended early.")
  private boolean restart;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Instead of state.dir, which a 'run' may hold.")
  private Path stateDirectory;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  private final Time time = Time.system();

  @Override
  public Integer call() throws InterruptedException {
    RangeRequest request = request();
    RangeRunSettings settings = RunSettingsLoader.loadRange(config);
    if (stateDirectory != null) {
      settings = settings.in(stateDirectory);
    }
    if (exact) {
      settings = settings.exact();
    }
    if (claimOffsets != null) {
      request =
          request.claimedBy(
              OffsetSource.read(
                  claimOffsets, Optional.ofNullable(claimConnector), settings.claims()));
    }
    RangeSession session = new RangeSession(settings, request, restart, time);
    return Termination.guard(
        settings.shutdownTimeout(),
        spec.commandLine(),
        this::progress,
        ending -> {
          ending.started();
          return checked(session, ending);
        });
  }

  private RangeRequest request() {
    List<TablePattern> patterns = new ArrayList<>();
    for (String table : tables) {
      try {
        patterns.add(new TablePattern(table));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }
    if (patterns.isEmpty() && !all && claimOffsets == null) {
      throw usage("name tables with --table, or ask for --all or --claim-offsets");
    }
    boolean bounded = from != null || to != null;
    if (bounded && (all || patterns.size() != 1 || patterns.get(0).isPattern())) {
      throw usage("--from and --to go with one --table");
    }
    if (claimOffsets != null && (all || bounded)) {
      throw usage("--claim-offsets names tables and ranges itself; --table picks some of them");
    }
    if (claimOffsets == null && (claimInitialSnapshot || claimZone != null)) {
      throw usage("--claim-initial-snapshot and --claim-zone go with --claim-offsets");
    }
    return new RangeRequest(
        patterns,
        all,
        new KeyRange(bound("--from", from), bound("--to", to)),
        Optional.empty(),
        new OffsetClaims.Known(claimInitialSnapshot, any -> false, Optional.ofNullable(claimZone)));
  }

  /** Whether a text with brackets is an array or a key, the number of key columns would tell. */
  private Optional<Bound> bound(String option, String text) {
    if (text == null) {
      return Optional.empty();
    }
    if (!text.startsWith("[")) {
      return Optional.of(new Bound(List.of(text), true));
    }
    try {
      JsonNode array = JSON.readTree(text);
      List<String> key = new ArrayList<>();
      for (JsonNode value : array) {
        if (!value.isTextual() && !value.isIntegralNumber()) {
          // Any other number would lose digits here.
          throw usage(
              option + " must be a JSON array of texts or whole numbers; write others as texts");
        }
        key.add(value.asText());
      }
      return Optional.of(new Bound(key, true));
    } catch (JsonProcessingException e) {
      // Its message would quote the key.
      throw usage(
          option + " begins with a bracket and is no JSON array; write [\"...\"] around a text", e);
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private ParameterException usage(String message, Exception cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }

  private ExitStatus checked(RangeSession session, Termination termination)
      throws InterruptedException {
    AtomicReference<RangeReport> report = new AtomicReference<>();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread worker =
        new Thread(
            () -> {
              try {
                report.set(session.run(Optional.ofNullable(deadline)));
              } catch (InterruptedException | RuntimeException | Error e) {
                failure.set(e);
              }
            },
            "walproof-verify-range");
    worker.start();
    watch(worker, session, termination);
    if (failure.get() instanceof RuntimeException runtime) {
      throw runtime;
    }
    if (failure.get() != null) {
      throw new IllegalStateException("the range check ended abruptly", failure.get());
    }
    print(report.get(), session.columnSettings());
    return report.get().status();
  }

  private void watch(Thread worker, RangeSession session, Termination termination)
      throws InterruptedException {
    long nextProgress = time.nanoTime() + PROGRESS.toNanos();
    RangeRate rate = new RangeRate();
    boolean told = false;
    while (worker.isAlive()) {
      worker.join(TICK.toMillis());
      if (termination.requested() && !told) {
        told = true;
        progress("stopping");
        session.cancel();
      }
      if (time.nanoTime() - nextProgress >= 0) {
        nextProgress += PROGRESS.toNanos();
        session
            .progress()
            .ifPresent(s -> progress(rate.figures(s, session.undecided(), time.nanoTime())));
      }
    }
  }

  private void print(RangeReport report, Map<String, String> columnSettings) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(RangeJson.of(report, columnSettings));
    } else {
      RangeText.print(report, out);
      SummaryText.columnSettings(columnSettings, out);
    }
    out.flush();
  }

  private void progress(String text) {
    LogFormat.tell(spec.commandLine().getErr(), time, text);
  }
}
