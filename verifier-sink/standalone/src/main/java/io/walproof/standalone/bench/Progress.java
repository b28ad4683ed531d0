package io.walproof.standalone.bench;

import java.io.PrintWriter;
import java.util.Locale;

/** Tells what is going on, on standard error, where it cannot mix with results. */
final class Progress {

  private final PrintWriter err;

  Progress(PrintWriter err) {
    this.err = err;
  }

  void say(String format, Object... values) {
    err.println(String.format(Locale.ROOT, format, values));
    err.flush();
  }
}
