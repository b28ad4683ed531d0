package io.walproof.standalone;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.standalone.repair.ConfirmedFailures;
import io.walproof.standalone.repair.RepairExport;
import io.walproof.standalone.run.RunSettings;
import io.walproof.standalone.run.RunSettingsLoader;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.PrivateFiles;
import io.walproof.verifier.audit.StateDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code walproof audit export}. */
@Command(
    name = "export",
    description = {
      "Writes statements that would repair confirmed failures, for an operator to review and run on"
          + " the target. Changes no row: it reads both databases, and marks the source's WAL as a"
          + " run does, to confirm that the target has replayed what was read.",
      "The file holds row values and is created with mode 0600. Ends with 3 if a failure has no"
          + " statement; the file says why."
    })
final class AuditExportCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "The run's properties file: databases and state.dir.")
  private Path config;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "An audit file elsewhere than in state.dir.")
  private Path file;

  @Option(
      names = "--repair-sql",
      paramLabel = "FILE",
      required = true,
      description = "The file to write; it must not exist.")
  private Path script;

  @Option(
      names = "--table",
      paramLabel = "SCHEMA.TABLE",
      converter = TableName.class,
      description = "Only this table; quote parts as in SQL.")
  private TableId table;

  @Option(
      names = "--limit",
      paramLabel = "ROWS",
      defaultValue = "1000",
      description = "At most so many rows (default: ${DEFAULT-VALUE}).")
  private int limit = 1000;

  @Option(
      names = "--valid-for",
      paramLabel = "DURATION",
      defaultValue = "1h",
      converter = DurationConverter.class,
      description =
          "After this, by the target's clock, each transaction refuses to run: an INSERT cannot see"
              + " what became of the source's row (default: ${DEFAULT-VALUE}).")
  private Duration validFor = Duration.ofHours(1);

  @Option(
      names = "--run",
      paramLabel = "ID",
      description = "Only failures that this run confirmed; otherwise those of all runs.")
  private String run;

  @Option(names = "--all", description = "Failures of all runs, as without --run.")
  private boolean all;

  @Option(
      names = "--accept-unknown-databases",
      description =
          "Take failures of runs of older versions, which do not say of which databases they are,"
              + " for ones of the configured databases.")
  private boolean acceptUnknown;

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new ParameterException(spec.commandLine(), "--limit must be at least 1");
    }
    if (all && run != null) {
      throw new ParameterException(spec.commandLine(), "--all and --run exclude each other");
    }
    if (Files.exists(script)) {
      throw new ParameterException(
          spec.commandLine(), script + " exists; name another file, or remove it");
    }
    RunSettings settings = RunSettingsLoader.load(config);
    Path audit = file == null ? StateDirectory.auditFile(settings.stateDirectory()) : file;
    ConfirmedFailures failures = ConfirmedFailures.read(audit, filter(), limit);
    RepairExport.Result result =
        RepairExport.of(settings.verifier(), failures, validFor, acceptUnknown, Time.system());
    write(result);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%s: %d rows to repair, %d failures that are none any more, %d without a statement%n",
        script, result.exported(), result.gone(), result.open());
    if (failures.leftOut() > 0) {
      out.printf("up to %d more are beyond --limit %d%n", failures.leftOut(), limit);
    }
    out.println("It holds row values (mode 0600). Nothing was run; review it first.");
    out.flush();
    boolean all = result.open() == 0 && failures.leftOut() == 0;
    return (all ? ExitStatus.CLEAN : ExitStatus.INCOMPLETE).code();
  }

  private Predicate<AuditRecord> filter() {
    Predicate<AuditRecord> filter = record -> run == null || record.runId().equals(run);
    if (table != null) {
      filter = filter.and(record -> record.table().filter(table::equals).isPresent());
    }
    return filter;
  }

  private void write(RepairExport.Result result) {
    try {
      // Created private first, so that no value is ever in a file that others may read.
      PrivateFiles.file(script);
      Files.write(script, result.lines(), StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new AuditException(
          "The file " + script + " cannot be written (" + e + "). Check the directory.", e);
    }
  }
}
