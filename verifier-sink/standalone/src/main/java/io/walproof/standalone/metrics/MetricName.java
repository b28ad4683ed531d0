package io.walproof.standalone.metrics;

/**
 * A gauge's name by Prometheus's conventions: underscores, base units, {@code _total} for what only
 * grows. {@code recheck-age-ms} of the verifier is {@code walproof_verifier_recheck_age_seconds}.
 *
 * @param base the name without {@code _total}
 * @param counter whether it only grows
 * @param scale what a value is multiplied by
 */
public record MetricName(String base, boolean counter, double scale) {

  private static final String TOTAL = "-total";
  private static final String MILLIS = "-ms";

  /**
   * The name.
   *
   * @param part whose gauge it is, such as {@code source} or {@code verifier}
   * @param gauge its name in Connect
   */
  public static MetricName of(String part, String gauge) {
    String start = "walproof_" + part + "_";
    if (gauge.endsWith(TOTAL)) {
      return new MetricName(start + underscored(without(gauge, TOTAL)), true, 1);
    }
    if (gauge.endsWith(MILLIS)) {
      return new MetricName(start + underscored(without(gauge, MILLIS)) + "_seconds", false, 0.001);
    }
    return new MetricName(start + underscored(gauge), false, 1);
  }

  /** As it stands in the text that Prometheus reads. */
  public String exposed() {
    return counter ? base + "_total" : base;
  }

  private static String without(String name, String end) {
    return name.substring(0, name.length() - end.length());
  }

  private static String underscored(String name) {
    return name.replace('-', '_');
  }
}
