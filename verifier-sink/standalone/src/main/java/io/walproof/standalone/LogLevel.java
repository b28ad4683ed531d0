package io.walproof.standalone;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** {@code --log-level}: how much goes to standard error. */
enum LogLevel {
  ERROR,
  WARN,
  INFO,
  DEBUG,
  TRACE;

  /** JDK loggers are held weakly, so this one must be kept for its level to stay. */
  private static final java.util.logging.Logger DRIVER =
      java.util.logging.Logger.getLogger("org.postgresql");

  /**
   * Sets our level, and that of the libraries one step quieter. The driver writes through the JDK's
   * logging and prints whole URLs there, passwords included, so it is off: its errors arrive as
   * exceptions anyway. Kafka's clients warn at every attempt to reach a broker; what cannot be
   * reached, where, and the way out is in one line of ours.
   */
  void apply() {
    DRIVER.setLevel(java.util.logging.Level.OFF);
    logger("io.walproof").setLevel(Level.valueOf(name()));
    logger("org.apache.kafka")
        .setLevel(
            switch (this) {
              case ERROR, WARN, INFO -> Level.ERROR;
              case DEBUG, TRACE -> Level.INFO;
            });
    logger(Logger.ROOT_LOGGER_NAME)
        .setLevel(
            switch (this) {
              case ERROR -> Level.ERROR;
              case WARN, INFO -> Level.WARN;
              case DEBUG, TRACE -> Level.INFO;
            });
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }
}
