package io.walproof.standalone;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.verifier.audit.VisibleText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** The log for machines: one JSON object a line. */
final class LogLines extends EncoderBase<ILoggingEvent> {

  /**
   * A line, without its newline.
   *
   * @param level such as {@code WARN}
   * @param logger who says it
   */
  static String line(Instant at, String level, String logger, String message) {
    return VisibleText.of(json(at, level, logger, message).toString());
  }

  private static ObjectNode json(Instant at, String level, String logger, String message) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("ts", at.toString())
        .put("level", level)
        .put("logger", logger)
        .put("message", message);
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    ObjectNode json =
        json(
            event.getInstant(),
            event.getLevel().toString(),
            event.getLoggerName(),
            event.getFormattedMessage());
    json.put("thread", event.getThreadName());
    if (event.getThrowableProxy() != null) {
      json.put("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return (VisibleText.of(json.toString()) + '\n').getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }
}
