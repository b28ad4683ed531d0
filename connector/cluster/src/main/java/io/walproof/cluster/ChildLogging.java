package io.walproof.cluster;

/** How child JVMs log: warnings to their output, through the configuration beside this class. */
final class ChildLogging {

  /** For logback, found on the class path that the {@link Leash} is on. */
  static final String JVM_ARGUMENT =
      "-Dlogback.configurationFile=io/walproof/cluster/child-logback.xml";

  private ChildLogging() {}
}
