package io.walproof.standalone.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/** The expressions of {@code config/}'s alert rules and dashboard, taken apart by name. */
public final class MonitoringFiles {

  /** What PromQL itself brings, as far as it is used. */
  private static final Set<String> LANGUAGE =
      Set.of("sum", "max", "by", "and", "or", "rate", "increase", "absent", "label_values");

  /** Labels that Prometheus adds, and its own metric of every target. */
  private static final Set<String> OUTSIDE = Set.of("job", "instance", "up");

  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
  private static final Pattern NAME = Pattern.compile("(?<![\\w.$])[a-zA-Z_]\\w*");
  private static final Pattern METRIC = Pattern.compile("walproof_\\w+");

  private MonitoringFiles() {}

  /** The folder, wherever the tests run. */
  public static Path config() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(root.resolve("config"))) {
      root = root.getParent();
    }
    return root.resolve("config");
  }

  /** By alert. */
  public static Map<String, String> alerts() throws IOException {
    Map<String, String> alerts = new LinkedHashMap<>();
    Map<String, Object> file =
        new Yaml().load(Files.readString(config().resolve("prometheus-alerts.yml")));
    for (Object group : (List<?>) file.get("groups")) {
      for (Object rule : (List<?>) ((Map<?, ?>) group).get("rules")) {
        Map<?, ?> each = (Map<?, ?>) rule;
        alerts.put(each.get("alert").toString(), each.get("expr").toString());
      }
    }
    return alerts;
  }

  /** By panel and target. */
  public static Map<String, String> dashboard() throws IOException {
    Map<String, String> expressions = new LinkedHashMap<>();
    JsonNode json =
        new ObjectMapper().readTree(config().resolve("grafana-dashboard.json").toFile());
    for (JsonNode panel : json.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        expressions.put(
            panel.path("title").asText() + " " + target.path("refId").asText(),
            target.path("expr").asText());
      }
    }
    for (JsonNode variable : json.path("templating").path("list")) {
      if (variable.path("type").asText().equals("query")) {
        expressions.put(
            "variable " + variable.path("name").asText(),
            variable.path("query").path("query").asText());
      }
    }
    return expressions;
  }

  /**
   * What is wrong with an expression, given the metrics that there are.
   *
   * @param exposed metric names, each with its labels' values
   */
  public static List<String> problems(
      String expression, Map<String, Map<String, Set<String>>> exposed) {
    List<String> problems = new ArrayList<>();
    if (expression.chars().filter(c -> c == '(').count()
        != expression.chars().filter(c -> c == ')').count()) {
      problems.add("parentheses");
    }
    Set<String> metrics = new TreeSet<>();
    Matcher metric = METRIC.matcher(expression);
    while (metric.find()) {
      metrics.add(metric.group());
      if (!exposed.containsKey(metric.group())) {
        problems.add("no metric " + metric.group());
      }
    }
    if (metrics.isEmpty() && !expression.startsWith("up{")) {
      problems.add("names no metric");
    }
    Set<String> labels = new TreeSet<>();
    metrics.forEach(m -> labels.addAll(exposed.getOrDefault(m, Map.of()).keySet()));
    Matcher matcher = MATCHER.matcher(expression);
    while (matcher.find()) {
      String label = matcher.group(1);
      if (OUTSIDE.contains(label)) {
        continue;
      }
      Pattern wanted = Pattern.compile(matcher.group(3));
      boolean matches =
          metrics.stream()
              .flatMap(
                  m -> exposed.getOrDefault(m, Map.of()).getOrDefault(label, Set.of()).stream())
              .anyMatch(value -> wanted.matcher(value).matches());
      if (!matches) {
        problems.add("no " + label + " matches " + matcher.group(3));
      }
    }
    String bare = expression.replaceAll("\"[^\"]*\"", "").replaceAll("\\[\\d+[smhd]]", "");
    Matcher name = NAME.matcher(bare);
    while (name.find()) {
      String word = name.group();
      if (!metrics.contains(word)
          && !labels.contains(word)
          && !LANGUAGE.contains(word)
          && !OUTSIDE.contains(word)) {
        problems.add("unknown word " + word);
      }
    }
    return problems;
  }

  /** The metrics of a text that Prometheus reads, with their labels' values. */
  public static Map<String, Map<String, Set<String>>> exposed(String text) {
    Map<String, Map<String, Set<String>>> metrics = new LinkedHashMap<>();
    text.lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              Map<String, Set<String>> labels =
                  metrics.computeIfAbsent(line.split("[{ ]", 2)[0], any -> new LinkedHashMap<>());
              Matcher matcher = MATCHER.matcher(line);
              while (matcher.find()) {
                labels
                    .computeIfAbsent(matcher.group(1), any -> new TreeSet<>())
                    .add(matcher.group(3));
              }
            });
    return metrics;
  }
}
