package io.walproof.standalone;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code walproof offsets}. */
@Command(
    name = "offsets",
    description = "Reads the position that a restart resumes from.",
    subcommands = OffsetsShowCommand.class)
final class OffsetsCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new picocli.CommandLine.ParameterException(
        spec.commandLine(), "Missing required subcommand");
  }
}
