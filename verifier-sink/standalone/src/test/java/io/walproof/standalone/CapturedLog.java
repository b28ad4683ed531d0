package io.walproof.standalone;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/** Everything that is logged in this JVM while it is open, stack traces included. */
final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final StringBuilder text = new StringBuilder();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

  CapturedLog() {
    setContext(root.getLoggerContext());
    start();
    root.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    synchronized (text) {
      text.append(event.getLevel())
          .append(' ')
          .append(event.getLoggerName())
          .append(": ")
          .append(event.getFormattedMessage())
          .append('\n');
      if (event.getThrowableProxy() != null) {
        text.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
      }
    }
  }

  String text() {
    synchronized (text) {
      return text.toString();
    }
  }

  @Override
  public void close() {
    root.detachAppender(this);
    stop();
  }
}
