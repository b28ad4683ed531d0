package io.walproof.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of 127.0.0.1 for servers that are stopped and started again. They lie below those that a
 * system gives to outgoing connections and to whoever asks for any port (Linux: from 32768), so
 * that nobody gets one while its server is down. Thread-safe.
 */
public final class FreePort {

  private static final int FIRST = 15_000;
  private static final int END = 32_768;

  /** More would mean that something other than chance is wrong. */
  private static final int ATTEMPTS = 1_000;

  /** A port is free until its server binds it, so none is handed out twice by this JVM. */
  private static final Set<Integer> HANDED_OUT = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /** A port that was free a moment ago and was not handed out before. */
  public static int next() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (HANDED_OUT.add(port) && isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port on the loopback interface between " + FIRST + " and " + END);
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return probe.isBound();
    } catch (BindException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("ports of the loopback interface cannot be tried", e);
    }
  }
}
