package io.walproof.standalone;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.standalone.timeline.DriftEntry;
import io.walproof.standalone.timeline.DriftReader;
import io.walproof.standalone.timeline.DriftText;
import io.walproof.standalone.topic.KafkaOptions;
import io.walproof.standalone.topic.TopicValues;
import io.walproof.verifier.audit.AuditSegments;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.audit.VisibleText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code walproof drift show}. */
@Command(
    name = "show",
    description = {
      "Shows drift events in the order in which they were recorded, each with its difference in the"
          + " words of DDL.",
      "Reads an audit file, the drift topic with --topic, or what a console consumer printed of it."
    })
final class DriftShowCommand implements Callable<Integer> {

  private static final String STANDARD_INPUT = "-";

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "Lines of JSON; - for standard input (default: the audit in --state-dir).")
  private String file;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      defaultValue = "walproof-state",
      description = "The run's state.dir, if no FILE is named (default: ${DEFAULT-VALUE}).")
  private Path stateDirectory = Path.of("walproof-state");

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description = "The drift topic, <topic.prefix>.drift, if it is JSON, instead of a file.")
  private String topic;

  @Mixin private KafkaOptions kafka;

  @Option(
      names = "--table",
      paramLabel = "SCHEMA.TABLE",
      converter = TableName.class,
      description = "Only this table; quote parts as in SQL.")
  private TableId table;

  @Option(names = "--all", description = "Also each table's first shape, which is no drift.")
  private boolean all;

  @Option(names = "--json", description = "Print JSON for machines, one event a line.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (topic != null) {
      requireAlone();
      try (TopicValues values = TopicValues.open(kafka.client(), topic, Time.system())) {
        print(new DriftReader(values::next), out, err);
      }
      return ExitStatus.CLEAN.code();
    }
    Path path = file == null ? StateDirectory.auditFile(stateDirectory) : Path.of(file);
    try (BufferedReader lines =
        STANDARD_INPUT.equals(file)
            ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
            : lines(path)) {
      print(new DriftReader(lines::readLine), out, err);
    } catch (NoSuchFileException | AccessDeniedException e) {
      err.println(
          "There is no readable file "
              + path
              + ". Name the state directory of a run with --state-dir, or a FILE.");
      return ExitStatus.ERROR.code();
    }
    return ExitStatus.CLEAN.code();
  }

  private void requireAlone() {
    if (file != null || spec.commandLine().getParseResult().hasMatchedOption("--state-dir")) {
      throw new ParameterException(
          spec.commandLine(), "--topic excludes a FILE and --state-dir: name one of them");
    }
  }

  private void print(DriftReader reader, PrintWriter out, PrintWriter err) throws IOException {
    if (print(reader, out) == 0) {
      err.println("No drift event.");
    }
    if (reader.malformed() > 0) {
      err.println(
          reader.malformed()
              + (topic == null ? " lines" : " records")
              + " are no JSON and were passed over.");
    }
  }

  /** Of an audit with its closed files, or of the one file of a topic's records. */
  private static BufferedReader lines(Path path) throws IOException {
    return new BufferedReader(
        new InputStreamReader(AuditSegments.open(path), StandardCharsets.UTF_8));
  }

  private long print(DriftReader reader, PrintWriter out) throws IOException {
    long shown = 0;
    List<DriftEntry> gaps = new ArrayList<>();
    Optional<DriftEntry> next = reader.next();
    // The check ends the reading when a pager was closed.
    while (next.isPresent() && !out.checkError()) {
      DriftEntry entry = next.get();
      if (isWanted(entry)) {
        shown++;
        if (json) {
          out.println(VisibleText.of(entry.toJson().toString()));
        } else {
          DriftText.lines(entry).forEach(line -> out.println(VisibleText.of(line)));
          if (gaps.stream().anyMatch(entry::isSameGap)) {
            out.println("    -- told above already: one gap");
          }
        }
        if (entry.isGap()) {
          gaps.add(entry);
        }
      }
      next = reader.next();
    }
    out.flush();
    return shown;
  }

  private boolean isWanted(DriftEntry entry) {
    return (all || !entry.isBaseline())
        && (table == null || entry.table().equals(Optional.of(table)));
  }
}
