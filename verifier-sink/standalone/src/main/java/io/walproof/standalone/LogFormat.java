package io.walproof.standalone;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import io.walproof.contract.Time;
import java.io.PrintWriter;
import org.slf4j.LoggerFactory;

/** {@code --log-format}: how standard error is written. */
enum LogFormat {
  TEXT,
  JSON;

  /**
   * Writes in this format from now on.
   *
   * @param err what the command itself writes to
   * @return what it is to write to
   */
  PrintWriter apply(PrintWriter err) {
    if (this == TEXT) {
      return err;
    }
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Appender<ILoggingEvent> stderr = root.getAppender("stderr");
    if (stderr instanceof ConsoleAppender<ILoggingEvent> console) {
      LogLines lines = new LogLines();
      lines.setContext(root.getLoggerContext());
      lines.start();
      console.setEncoder(lines);
    }
    return new JsonErr(err);
  }

  /** Says something in the course of a command, with the time in either format. */
  static void tell(PrintWriter err, Time time, String text) {
    err.println(err instanceof JsonErr ? text : time.now() + " " + text);
    err.flush();
  }

  /** Says what ends a command. */
  static void error(PrintWriter err, String text) {
    if (err instanceof JsonErr json) {
      json.println("ERROR", text);
    } else {
      err.println(text);
    }
  }

  /** Makes a line of each text that is printed as a line. */
  private static final class JsonErr extends PrintWriter {
    private static final String LOGGER = "walproof";
    private final Time time = Time.system();

    JsonErr(PrintWriter out) {
      super(out, true);
    }

    @Override
    public void println(String text) {
      println("INFO", text);
    }

    void println(String level, String text) {
      super.println(LogLines.line(time.now(), level, LOGGER, text));
    }

    @Override
    public void println(Object text) {
      println(String.valueOf(text));
    }
  }
}
