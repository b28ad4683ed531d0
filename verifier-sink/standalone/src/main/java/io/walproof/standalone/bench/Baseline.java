package io.walproof.standalone.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.standalone.bench.Finding.Bound;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The ratios of an earlier run, to notice what got worse and still keeps its bound. Times and sizes
 * are not in it: they are the machine's.
 *
 * @param ratios by bench and figure, as {@code --json} names them
 */
record Baseline(Map<Name, Double> ratios) {

  /** The one that is checked in, for the benches' default sizes. */
  static final String DEFAULT = "default";

  private static final String RESOURCE = "baseline.json";
  private static final String RATIO = "ratio";

  Baseline {
    ratios = Map.copyOf(ratios);
  }

  /** What a ratio is called. */
  record Name(String bench, String figure) {
    @Override
    public String toString() {
      return bench + ": " + figure;
    }
  }

  /**
   * Reads one.
   *
   * @param where {@link #DEFAULT}, or a file: a baseline, or any result of {@code --json}
   * @throws IllegalArgumentException if it is none
   */
  static Baseline load(String where) throws IOException {
    if (where.equals(DEFAULT)) {
      try (InputStream resource = Baseline.class.getResourceAsStream(RESOURCE)) {
        return parse(new String(resource.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    try {
      return parse(Files.readString(Path.of(where)));
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there is no baseline " + where, e);
    } catch (IllegalArgumentException | com.fasterxml.jackson.core.JacksonException e) {
      throw new IllegalArgumentException(
          where + " is no baseline: give a file that bench --json or --write-baseline wrote", e);
    }
  }

  static Baseline parse(String text) throws IOException {
    JsonNode findings = JsonMapper.builder().build().readTree(text).path("findings");
    Map<Name, Double> ratios = new LinkedHashMap<>();
    for (JsonNode finding : findings) {
      if (finding.path("unit").asText().equals(RATIO)) {
        JsonNode value = finding.path("value");
        if (!value.isNumber()) {
          throw new IllegalArgumentException("a ratio has no value");
        }
        ratios.put(
            new Name(finding.path("bench").asText(), finding.path("figure").asText()),
            value.doubleValue());
      }
    }
    if (ratios.isEmpty()) {
      throw new IllegalArgumentException("it holds no ratio");
    }
    return new Baseline(ratios);
  }

  /** The ratios of a run, as a file that {@link #load} reads. */
  static String of(BenchReport report) {
    ObjectMapper mapper =
        JsonMapper.builder().configure(SerializationFeature.INDENT_OUTPUT, true).build();
    ObjectNode json = mapper.createObjectNode();
    var list = json.putArray("findings");
    for (Finding finding : report.findings()) {
      // What could not be measured here is nothing to hold others against.
      if (finding.unit().equals(RATIO) && Double.isFinite(finding.value())) {
        list.addObject()
            .put("bench", finding.bench().text())
            .put("figure", finding.figure())
            .put("value", BenchReport.rounded(finding.value()))
            .put("unit", RATIO);
      }
    }
    return json.toPrettyString() + '\n';
  }

  /**
   * What is worse than it was, in the direction of the figure's bound, by more than a share; and
   * what the benches that ran have measured no more. A figure that is new has nothing to be worse
   * than.
   *
   * @param tolerance the share, such as 0.25 for a quarter
   */
  List<String> worse(BenchReport report, double tolerance) {
    List<String> worse = new ArrayList<>();
    Map<Name, Finding> measured = new LinkedHashMap<>();
    report.findings().stream()
        .filter(finding -> finding.unit().equals(RATIO))
        .forEach(f -> measured.put(new Name(f.bench().text(), f.figure()), f));
    Set<String> ran =
        report.findings().stream().map(f -> f.bench().text()).collect(Collectors.toSet());
    ratios.keySet().stream()
        .filter(name -> ran.contains(name.bench()) && !measured.containsKey(name))
        .map(name -> name + ": was not measured; the baseline is of other sizes, or outdated")
        .sorted()
        .forEach(worse::add);
    measured.forEach(
        (name, finding) -> {
          Double before = ratios.get(name);
          if (before != null && isWorse(finding, before, tolerance)) {
            worse.add(
                String.format(
                    Locale.ROOT, "%s: %.3f, the baseline has %.3f", name, finding.value(), before));
          }
        });
    return worse;
  }

  private static boolean isWorse(Finding finding, double before, double tolerance) {
    if (Double.isNaN(finding.value())) {
      return true;
    }
    return finding.bound().kind() == Bound.Kind.AT_LEAST
        ? finding.value() < before * (1 - tolerance)
        : finding.value() > before * (1 + tolerance);
  }
}
