package io.walproof.cluster;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * The main class of a child JVM: runs another main class, and halts the JVM as soon as its standard
 * input ends. The parent holds the other end, so that a child never outlives it, even if the parent
 * is killed with -9.
 */
public final class Leash {

  private Leash() {}

  /** The first argument is the main class to run, the rest are its arguments. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    Thread watch = new Thread(Leash::haltWithParent, "leash");
    watch.setDaemon(true);
    watch.start();
    String[] own = Arrays.copyOfRange(arguments, 1, arguments.length);
    try {
      Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) own);
    } catch (InvocationTargetException e) {
      e.getCause().printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void haltWithParent() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever written; only the end counts.
      }
    } catch (IOException e) {
      // As good as the end.
    }
    Runtime.getRuntime().halt(1);
  }
}
