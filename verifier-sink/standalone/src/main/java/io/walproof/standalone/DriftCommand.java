package io.walproof.standalone;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code walproof drift}. */
@Command(
    name = "drift",
    description = "Reads drift events.",
    subcommands = {DriftShowCommand.class})
final class DriftCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitStatus.ERROR.code();
  }
}
