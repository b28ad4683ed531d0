package io.walproof.connector.connect;

import io.walproof.connector.engine.CaptureSettings;
import io.walproof.connector.engine.SettingProblem;
import io.walproof.contract.ClosestName;
import io.walproof.contract.topic.TopicNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * A connector's configuration, checked.
 *
 * @param capture the source's settings
 * @param feed the connector's own
 * @param topics the topics' names
 */
record ConnectorSettings(CaptureSettings capture, FeedSettings feed, TopicNames topics) {

  static final String PREFIX = "topic.prefix";

  private static final ConfigDef FEED = FeedSettings.definition();

  /**
   * Reads a configuration.
   *
   * @throws ConnectException naming every setting that is missing or has a bad value
   */
  static ConnectorSettings of(Map<String, String> given) {
    List<SettingProblem> problems = problems(given);
    if (!problems.isEmpty()) {
      throw new ConnectException(
          "the connector's settings: "
              + problems.stream().map(SettingProblem::text).collect(Collectors.joining("; ")));
    }
    FeedSettings feed = FeedSettings.of(FEED.parse(ours(given)));
    return new ConnectorSettings(
        CaptureSettings.of(sources(given), feed.values()),
        feed,
        new TopicNames(given.get(PREFIX).trim()));
  }

  /** What is wrong with a configuration, each with its setting; no text holds a value. */
  static List<SettingProblem> problems(Map<String, String> given) {
    List<SettingProblem> problems = new ArrayList<>();
    for (ConfigValue value : FEED.validate(ours(given))) {
      if (!value.errorMessages().isEmpty()) {
        problems.add(
            SettingProblem.of(
                value.name(), "must be " + FEED.configKeys().get(value.name()).validator));
      }
    }
    String prefix = given.get(PREFIX);
    if (prefix == null || prefix.isBlank()) {
      problems.add(
          SettingProblem.of(
              PREFIX, "is missing; it begins the topics' names and names the source"));
    }
    for (SettingProblem problem :
        CaptureSettings.problems(
            sources(given), FeedSettings.feed(given.get(FeedSettings.VALUES)))) {
      problems.add(CaptureSettings.isKnownKey(problem.key()) ? problem : misspelt(problem.key()));
    }
    return problems;
  }

  private static SettingProblem misspelt(String key) {
    Set<String> names = new HashSet<>(CaptureSettings.knownKeys());
    names.addAll(FEED.names());
    names.addAll(ConnectKeys.all());
    return SettingProblem.of(
        key,
        "is not a setting of this connector"
            + ClosestName.to(key, names).map(near -> "; did you mean '" + near + "'?").orElse(""));
  }

  private static Map<String, String> ours(Map<String, String> given) {
    Map<String, String> ours = new HashMap<>();
    given.forEach(
        (key, value) -> {
          if (FEED.names().contains(key) && value != null) {
            ours.put(key, value.trim());
          }
        });
    return ours;
  }

  private static Map<String, String> sources(Map<String, String> given) {
    Map<String, String> sources = new HashMap<>();
    given.forEach(
        (key, value) -> {
          if (!FEED.names().contains(key) && !ConnectKeys.contains(key) && value != null) {
            sources.put(key, value);
          }
        });
    return sources;
  }
}
