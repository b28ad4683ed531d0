package io.walproof.system;

import io.walproof.cluster.ClassPath;
import java.nio.file.Path;
import java.util.List;

/** Where this build has put what the tests start. */
final class Delivered {

  /** The build's outermost folder. */
  static final Path ROOT = Path.of(System.getProperty("walproof.root"));

  private static final String VERSION = System.getProperty("walproof.version");
  private static final Path WORKERS = Path.of(System.getProperty("walproof.workers"));
  private static final Path PIPELINE = Path.of(System.getProperty("walproof.pipeline"));

  /** The source connector's archive. */
  static final Path CONNECTOR =
      ROOT.resolve("connector/target/walproof-connector-" + VERSION + ".zip");

  /** The verifier's archive. */
  static final Path VERIFIER =
      ROOT.resolve("verifier-sink/target/walproof-verifier-sink-" + VERSION + ".zip");

  /** Debezium's own plugins, unpacked; each subfolder is one. */
  static final Path PIPELINE_PLUGINS = PIPELINE;

  /** The Prometheus JMX exporter, as an agent of a worker's JVM. */
  static final Path JMX_EXPORTER = Path.of(System.getProperty("walproof.jmx.exporter"));

  private Delivered() {}

  /** This project's version. */
  static String version() {
    return VERSION;
  }

  /** The class path of a worker of version 3.9 or 4.0 as it was released. */
  static List<Path> worker(String version) {
    return ClassPath.ofFolder(WORKERS.resolve("worker-" + version + "/target/worker"));
  }
}
