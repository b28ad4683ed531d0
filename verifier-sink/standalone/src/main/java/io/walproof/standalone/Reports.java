package io.walproof.standalone;

import io.walproof.connector.engine.CaptureException;
import io.walproof.connector.offset.PositionStoreException;
import io.walproof.standalone.settings.SettingsException;
import io.walproof.standalone.status.StatusException;
import io.walproof.standalone.topic.TopicException;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.audit.StateDirectoryException;
import io.walproof.verifier.core.VerifierException;
import io.walproof.verifier.database.DatabaseException;
import io.walproof.verifier.range.RangeException;
import io.walproof.verifier.replay.ConfirmationException;
import java.io.PrintWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells errors to people: one message, the way out, and a stack only for what nobody expected. */
final class Reports {

  private static final Logger LOG = LoggerFactory.getLogger(Reports.class);

  private Reports() {}

  static int usageError(CommandLine.ParameterException error, String[] args) {
    CommandLine command = error.getCommandLine();
    PrintWriter err = command.getErr();
    LOG.debug("{} arguments were refused", args.length, error);
    LogFormat.error(err, error.getMessage());
    if (!UnmatchedArgumentException.printSuggestions(error, err)) {
      err.println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
    }
    return ExitStatus.ERROR.code();
  }

  static int failure(Exception error, CommandLine command, CommandLine.ParseResult parsed) {
    LOG.debug("{} failed: {}", parsed.commandSpec().qualifiedName(), Trace.of(error));
    PrintWriter err = command.getErr();
    if (isExplained(error)) {
      LogFormat.error(err, error.getMessage());
    } else {
      LogFormat.error(err, "walproof failed in a way that nobody expected; please report it:");
      LogFormat.error(err, Trace.of(error));
    }
    err.flush();
    return ExitStatus.ERROR.code();
  }

  /** Errors whose message is written for people. */
  private static boolean isExplained(Exception error) {
    return error instanceof AuditException
        || error instanceof StateDirectoryException
        || error instanceof SettingsException
        || error instanceof CaptureException
        || error instanceof PositionStoreException
        || error instanceof DatabaseException
        || error instanceof ConfirmationException
        || error instanceof RangeException
        || error instanceof StatusException
        || error instanceof TopicException
        || error instanceof VerifierException;
  }
}
