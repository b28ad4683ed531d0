package io.walproof.standalone;

import io.walproof.verifier.audit.StateDirectory;
import java.nio.file.Path;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Which audit file a command reads, and how it prints. */
final class AuditLocation {

  @ArgGroup private Choice choice = new Choice();

  @Option(names = "--json", description = "Print JSON for machines.")
  private boolean json;

  boolean json() {
    return json;
  }

  Path path() {
    return choice.file != null ? choice.file : StateDirectory.auditFile(choice.stateDirectory);
  }

  private static final class Choice {
    @Option(
        names = "--state-dir",
        paramLabel = "DIR",
        defaultValue = "walproof-state",
        description = "The run's state.dir (default: ${DEFAULT-VALUE}).")
    private Path stateDirectory = Path.of("walproof-state");

    @Option(names = "--file", paramLabel = "FILE", description = "An audit file elsewhere.")
    private Path file;
  }
}
