package io.walproof.standalone.demo;

import java.util.LinkedHashMap;
import java.util.Map;

/** The demo's configuration, as it would stand in a file: short delays, otherwise defaults. */
public final class DemoSettings {

  private DemoSettings() {}

  /** Slot and publication of a demo's run. */
  public static final String SLOT = "walproof_demo";

  /**
   * The settings of a run on the servers, in the order in which they would be written.
   *
   * @param stateDirectory the run's own
   * @param user who connects on both sides, without a password
   */
  public static Map<String, String> of(DemoServers servers, String stateDirectory, String user) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("state.dir", stateDirectory);
    settings.put("topic.prefix", "demo");
    settings.put("database.hostname", "127.0.0.1");
    settings.put("database.port", Integer.toString(servers.sourcePort()));
    settings.put("database.dbname", databaseName(servers));
    settings.put("database.user", user);
    settings.put("database.password", "none-needed");
    settings.put("slot.name", SLOT);
    settings.put("publication.name", SLOT);
    settings.put("schema.include.list", "public");
    settings.put("heartbeat.interval.ms", "1000");
    settings.put("verify.target.jdbc.url", servers.targetUrl());
    settings.put("verify.target.user", user);
    settings.put("verify.target.password", "none-needed");
    settings.put("verify.settle.ms", "2000");
    settings.put("verify.recheck.delay.ms", "3000");
    settings.put("verify.replay.timeout.ms", "6000");
    return settings;
  }

  private static String databaseName(DemoServers servers) {
    String url = servers.sourceUrl();
    return url.substring(url.lastIndexOf('/') + 1);
  }
}
