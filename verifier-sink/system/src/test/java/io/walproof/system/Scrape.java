package io.walproof.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Prometheus gets of a worker through the JMX exporter with our rules, and what it must get:
 * the names and labels that the reference has of a run's {@code /metrics}, where a test holds them
 * against the code.
 */
final class Scrape {

  /** What a worker's gauges have besides: whose they are. */
  private static final Set<String> WHOSE = Set.of("connector", "task");

  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private final List<String> lines;

  private Scrape(List<String> lines) {
    this.lines = lines;
  }

  /** What starts a worker with the exporter on 127.0.0.1 and the port. */
  static String argument(int port) {
    return "-javaagent:"
        + Delivered.JMX_EXPORTER
        + "=127.0.0.1:"
        + port
        + ":"
        + Delivered.ROOT.resolve("config/prometheus-jmx-exporter.yml");
  }

  static Scrape of(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    String text =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    return new Scrape(text.lines().filter(line -> line.contains("walproof")).toList());
  }

  /** Lines as Prometheus reads them, comments included. */
  List<String> lines() {
    return lines;
  }

  /** By name: each label, but for connector and task, with its values. */
  Map<String, Map<String, Set<String>>> metrics() {
    Map<String, Map<String, Set<String>>> metrics = new TreeMap<>();
    for (String line : lines) {
      if (!line.startsWith("#")) {
        Map<String, Set<String>> labels =
            metrics.computeIfAbsent(line.split("[{ ]", 2)[0], any -> new TreeMap<>());
        Matcher label = LABEL.matcher(line);
        while (label.find()) {
          if (!WHOSE.contains(label.group(1))) {
            labels.computeIfAbsent(label.group(1), any -> new TreeSet<>()).add(label.group(2));
          }
        }
      }
    }
    return metrics;
  }

  /** The same as the reference's tables have it; a worker has no status page. */
  static Map<String, Map<String, Set<String>>> reference() throws IOException {
    Map<String, Map<String, Set<String>>> metrics = new TreeMap<>();
    Path reference = Delivered.ROOT.resolve("config/reference.md");
    for (String line : Files.readAllLines(reference)) {
      if (line.startsWith("| `walproof_") && !line.startsWith("| `walproof_status_")) {
        List<String> cells = Arrays.asList(line.split("\\|", -1));
        Map<String, Set<String>> labels = new TreeMap<>();
        for (String label : cells.get(3).split(";", -1)) {
          List<String> words = codes(label);
          if (!words.isEmpty()) {
            labels.put(words.get(0), new TreeSet<>(words.subList(1, words.size())));
          }
        }
        metrics.put(codes(cells.get(1)).get(0), labels);
      }
    }
    return metrics;
  }

  private static List<String> codes(String cell) {
    return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
  }
}
