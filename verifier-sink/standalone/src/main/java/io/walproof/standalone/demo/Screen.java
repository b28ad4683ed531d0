package io.walproof.standalone.demo;

import io.walproof.contract.Time;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * What the viewer sees: announcements that stay, and one line of live figures that is rewritten in
 * place on a terminal and printed every few seconds elsewhere, if it is another one. Thread-safe.
 */
final class Screen {

  private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(5);
  private static final String CLEAR_LINE = "\r\u001b[2K";

  private final PrintStream out;
  private final boolean terminal;
  private final Time time;
  private final long startedAt;
  private boolean live;
  private long lastPlain;
  private String plain = "";

  Screen(PrintStream out, boolean terminal, Time time) {
    this.out = out;
    this.terminal = terminal;
    this.time = time;
    this.startedAt = time.nanoTime();
    this.lastPlain = startedAt;
  }

  /** A line that stays. */
  synchronized void say(String text) {
    clear();
    out.println(stamp() + text);
    out.flush();
  }

  /** The figures now. */
  synchronized void figures(String text) {
    if (terminal) {
      clear();
      out.print(stamp() + text);
      out.flush();
      live = true;
    } else if (!text.equals(plain) && time.nanoTime() - lastPlain >= PLAIN_INTERVAL.toNanos()) {
      lastPlain = time.nanoTime();
      plain = text;
      out.println(stamp() + text);
    }
  }

  /** How long the demo has run, in seconds. */
  double seconds() {
    return (time.nanoTime() - startedAt) / 1e9;
  }

  private void clear() {
    if (live) {
      out.print(CLEAR_LINE);
      live = false;
    }
  }

  private String stamp() {
    return String.format(Locale.ROOT, "[%5.1f s] ", seconds());
  }
}
