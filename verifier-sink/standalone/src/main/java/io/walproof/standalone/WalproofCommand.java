package io.walproof.standalone;

import io.walproof.standalone.bench.BenchCommand;
import io.walproof.standalone.demo.DemoCommand;
import io.walproof.standalone.preflight.PreflightCommand;
import io.walproof.standalone.settings.LogSettings;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code walproof}. */
@Command(
    name = "walproof",
    description = "Proves that a replicated PostgreSQL database holds what its source holds.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      RunCommand.class,
      PreflightCommand.class,
      VerifyRangeCommand.class,
      StatusCommand.class,
      DemoCommand.class,
      BenchCommand.class,
      AuditCommand.class,
      DriftCommand.class,
      OffsetsCommand.class,
      HelpCommand.class
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:clean",
      "1:usage or runtime error",
      "2:confirmed failures",
      "3:something incomplete",
      "4:halted on drift"
    })
public final class WalproofCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--log-level",
      scope = ScopeType.INHERIT,
      paramLabel = "LEVEL",
      description =
          "What goes to standard error: ${COMPLETION-CANDIDATES} (default: log.level of the"
              + " configuration, or info).")
  private LogLevel logLevel;

  @Option(
      names = "--log-format",
      scope = ScopeType.INHERIT,
      paramLabel = "FORMAT",
      description =
          "How it is written: ${COMPLETION-CANDIDATES} (default: log.format of the configuration, or"
              + " text).")
  private LogFormat logFormat;

  /** Runs the command and ends the process with its status. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int status = run(out, err, args);
    out.flush();
    System.exit(status);
  }

  /** Runs the command in this process. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    WalproofCommand root = new WalproofCommand();
    return new CommandLine(root)
        .setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Reports::usageError)
        .setExecutionExceptionHandler(Reports::failure)
        .setExecutionStrategy(
            parsed -> {
              root.log(parsed, err);
              return new CommandLine.RunLast().execute(parsed);
            })
        .execute(args);
  }

  /** Options come first, then the configuration that a command is given. */
  private void log(ParseResult parsed, PrintWriter err) {
    ParseResult command = parsed;
    while (command.hasSubcommand()) {
      command = command.subcommand();
    }
    Path config = command.matchedOptionValue("--config", (Path) null);
    LogSettings set = config == null ? LogSettings.NONE : LogSettings.read(config);
    LogLevel level = logLevel;
    if (level == null) {
      level = LogLevel.valueOf(set.level().orElse("info").toUpperCase(Locale.ROOT));
    }
    LogFormat format = logFormat;
    if (format == null) {
      format = LogFormat.valueOf(set.format().orElse("text").toUpperCase(Locale.ROOT));
    }
    level.apply();
    parsed.commandSpec().commandLine().setErr(format.apply(err));
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitStatus.ERROR.code();
  }
}
