package io.walproof.connector.relation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the classes that Debezium instantiates by name find the tap they serve. An entry lives as
 * long as its capture.
 */
public final class TapRegistry {

  /** The setting that carries a capture's id to those classes. */
  public static final String ID = "walproof.capture.id";

  private static final Map<String, Tap> TAPS = new ConcurrentHashMap<>();

  private TapRegistry() {}

  /** Adds a tap under a new id. */
  public static void add(String id, Tap tap) {
    if (TAPS.putIfAbsent(id, tap) != null) {
      throw new IllegalStateException("a capture with id " + id + " is running");
    }
  }

  /** Removes a tap; a capture that ended twice is no error. */
  public static void remove(String id) {
    TAPS.remove(id);
  }

  static Tap require(String id) {
    Tap tap = id == null ? null : TAPS.get(id);
    if (tap == null) {
      throw new TapException("no capture with id " + id + " is running");
    }
    return tap;
  }
}
