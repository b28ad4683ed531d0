package io.walproof.standalone.demo;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;

/** Whether a person watches. */
final class Terminal {

  private Terminal() {}

  /** Whether standard output is a terminal. */
  @SuppressWarnings("SystemConsoleNull") // newer JDKs have a console always, and isTerminal
  static boolean isThere() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException e) {
      return false;
    }
  }
}
