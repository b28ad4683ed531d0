package io.walproof.standalone;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code walproof audit}. */
@Command(
    name = "audit",
    description = "Reads the evidence of a run, also while it is running.",
    subcommands = {
      AuditSummaryCommand.class,
      AuditShowCommand.class,
      AuditCheckCommand.class,
      AuditExportCommand.class
    })
final class AuditCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitStatus.ERROR.code();
  }
}
