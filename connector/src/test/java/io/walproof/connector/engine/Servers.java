package io.walproof.connector.engine;

import io.walproof.embedded.PostgresServer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One server per major for all tests of this JVM; a shutdown hook ends them. */
public final class Servers {

  public static final int NEWEST = 18;

  private static final Map<Integer, PostgresServer> RUNNING = new ConcurrentHashMap<>();

  private Servers() {}

  public static PostgresServer of(int major) {
    return RUNNING.computeIfAbsent(major, PostgresServer::start);
  }

  public static PostgresServer newest() {
    return of(NEWEST);
  }
}
