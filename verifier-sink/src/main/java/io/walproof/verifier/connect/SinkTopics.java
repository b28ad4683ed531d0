package io.walproof.verifier.connect;

import io.walproof.contract.TableId;
import io.walproof.contract.topic.TopicNames;
import io.walproof.verifier.schedule.TableFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * The connector's topics as its configuration has them, and the tables that they are of: a table's
 * topic is {@code prefix.schema.table}, spelt as Walproof's source connector or Debezium does.
 *
 * @param names {@code topics}; empty with a pattern
 * @param pattern {@code topics.regex}
 */
record SinkTopics(Set<String> names, Optional<Pattern> pattern) {

  SinkTopics {
    names = Set.copyOf(names);
  }

  /** By a connector's or a task's properties. */
  static SinkTopics of(Map<String, String> properties) {
    Set<String> names =
        Arrays.stream(properties.getOrDefault("topics", "").split(",", -1))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new));
    Optional<Pattern> pattern = Optional.empty();
    String regex = properties.getOrDefault("topics.regex", "");
    if (!regex.isBlank()) {
      try {
        pattern = Optional.of(Pattern.compile(regex));
      } catch (PatternSyntaxException e) {
        throw new IllegalArgumentException("'topics.regex' must be a regular expression", e);
      }
    }
    return new SinkTopics(names, pattern);
  }

  boolean contains(String topic) {
    return names.contains(topic)
        || pattern.map(each -> each.matcher(topic).matches()).orElse(false);
  }

  /** Whether it can be told which tables they are of: not from a pattern. */
  boolean nameTables() {
    return pattern.isEmpty();
  }

  /** Those tables, whatever the topics' prefix. */
  TableFilter tables() {
    return TableFilter.of(
        table ->
            spellings(table).stream()
                .anyMatch(name -> names.stream().anyMatch(topic -> topic.endsWith('.' + name))));
  }

  private static List<String> spellings(TableId table) {
    String plain = table.schema() + '.' + table.name();
    List<String> spellings = new ArrayList<>(List.of(plain));
    spellings.add(plain.replaceAll("[^A-Za-z0-9._-]", "_"));
    spellings.add(new TopicNames("p").table(table).substring("p.".length()));
    return spellings;
  }
}
