package io.walproof.standalone;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.standalone.repair.ConfirmedFailures;
import io.walproof.standalone.repair.RepairExport;
import io.walproof.standalone.run.RunSettings;
import io.walproof.standalone.run.RunSettingsLoader;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.audit.AuditRecord;
import io.walproof.verifier.audit.AuditSummary;
import io.walproof.verifier.audit.PrivateFiles;
import io.walproof.verifier.audit.StateDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.ArgGroup;
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
          + " the target. Reads both databases and changes neither.",
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

  @ArgGroup private RunChoice runs = new RunChoice();

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new ParameterException(spec.commandLine(), "--limit must be at least 1");
    }
    if (Files.exists(script)) {
      throw new ParameterException(
          spec.commandLine(), script + " exists; name another file, or remove it");
    }
    RunSettings settings = RunSettingsLoader.load(config);
    Path audit = file == null ? StateDirectory.auditFile(settings.stateDirectory()) : file;
    ConfirmedFailures failures = ConfirmedFailures.read(audit, filter(audit), limit);
    RepairExport.Result result = RepairExport.of(settings.verifier(), failures, Time.system());
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

  private Predicate<AuditRecord> filter(Path audit) {
    Predicate<AuditRecord> filter = record -> true;
    if (!runs.all()) {
      String run = runs.id().orElseGet(() -> AuditSummary.ofLastRun(audit).runs().get(0));
      filter = filter.and(record -> record.runId().equals(run));
    }
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
