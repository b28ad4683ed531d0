package io.walproof.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Ports of 127.0.0.1 that nobody listens on. Thread-safe. */
public final class FreePort {

  /** A port is free until its server binds it, so none is handed out twice by this JVM. */
  private static final Set<Integer> HANDED_OUT = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /** A port that was free a moment ago and was not handed out before. */
  public static int next() {
    while (true) {
      try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        if (HANDED_OUT.add(probe.getLocalPort())) {
          return probe.getLocalPort();
        }
      } catch (IOException e) {
        throw new UncheckedIOException("no free port on the loopback interface", e);
      }
    }
  }
}
