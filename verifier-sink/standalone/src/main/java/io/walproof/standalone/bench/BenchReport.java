package io.walproof.standalone.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * The benches' result.
 *
 * @param findings every figure
 * @param worse what is worse than a baseline, empty also if there was none to compare with
 */
record BenchReport(List<Finding> findings, List<String> worse) {

  BenchReport {
    findings = List.copyOf(findings);
    worse = List.copyOf(worse);
  }

  BenchReport(List<Finding> findings) {
    this(findings, List.of());
  }

  /** The same, held against a baseline. */
  BenchReport against(Baseline baseline, double tolerance) {
    return new BenchReport(findings, baseline.worse(this, tolerance));
  }

  boolean allHold() {
    return findings.stream().allMatch(Finding::holds);
  }

  /** One object on one line. */
  String json() {
    ObjectMapper mapper = JsonMapper.builder().build();
    ObjectNode json = mapper.createObjectNode();
    json.put("processors", Runtime.getRuntime().availableProcessors());
    json.put("all_hold", allHold());
    ArrayNode regressions = json.putArray("worse_than_baseline");
    worse.forEach(regressions::add);
    ArrayNode list = json.putArray("findings");
    for (Finding finding : findings) {
      ObjectNode entry = list.addObject();
      entry.put("bench", finding.bench().text());
      entry.put("figure", finding.figure());
      entry.put("value", rounded(finding.value()));
      entry.put("unit", finding.unit());
      entry.put("bound_kind", finding.bound().kind().name().toLowerCase(Locale.ROOT));
      entry.put("bound", finding.bound().limit());
      entry.put("holds", finding.holds());
      ObjectNode samples = entry.putObject("samples");
      finding
          .samples()
          .forEach(
              (name, values) -> {
                ArrayNode array = samples.putArray(name);
                values.forEach(value -> array.add(rounded(value)));
              });
    }
    return json.toString();
  }

  void print(PrintWriter out) {
    for (Finding finding : findings) {
      out.println(
          String.format(
              Locale.ROOT,
              "%-8s  %-64s  %12.3f %-5s  %2s %-10.2f  %s",
              finding.bench().text(),
              finding.figure(),
              finding.value(),
              finding.unit(),
              finding.bound().kind().sign(),
              finding.bound().limit(),
              finding.holds() ? "holds" : "MISSED"));
    }
    worse.forEach(line -> out.println("WORSE  " + line));
  }

  /** To three places: what lies behind them is noise. */
  static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
