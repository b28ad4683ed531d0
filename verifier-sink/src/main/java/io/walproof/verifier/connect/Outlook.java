package io.walproof.verifier.connect;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.contract.finding.Finding;
import io.walproof.contract.finding.Grade;
import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.preflight.PairFindings;
import io.walproof.verifier.preflight.TableFindings;
import io.walproof.verifier.range.RangeException;
import io.walproof.verifier.range.RouteNames;
import io.walproof.verifier.range.RouteReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a task would come upon only later, and what leaves keys undecided though tasks start: said
 * in the worker's log while somebody still has the configuration in hand.
 */
final class Outlook {

  private static final Logger LOG = LoggerFactory.getLogger(Outlook.class);

  /** Somebody waits for the answer, and Connect's own patience is 90 s. */
  private static final Duration LOOK = Duration.ofSeconds(20);

  private static final int LINES = 100;

  private Outlook() {}

  /**
   * Looks at both servers, and at the tables where the topics name them.
   *
   * @param properties the connector's
   */
  static void log(
      Map<String, String> properties,
      VerifierSettings settings,
      Database source,
      Database target,
      Time time) {
    Deadline within = Deadline.in(time, LOOK);
    List<Finding> findings = new ArrayList<>(new PairFindings(time).of(source, target, within));
    SinkTopics topics = SinkTopics.of(properties);
    if (topics.nameTables()) {
      try {
        findings.addAll(
            new TableFindings(source, target, settings.rows(), settings.route(), time)
                .of(tables(topics, source, target, time, within), within, LOG::info));
      } catch (RangeException e) {
        LOG.warn("The tables of the topics were not looked at: {}", e.getMessage());
      }
    }
    List<Finding> told = findings.stream().filter(finding -> finding.grade() != Grade.OK).toList();
    told.stream()
        .limit(LINES)
        .forEach(
            finding ->
                LOG.warn(
                    "With this configuration, {}: {} ({})",
                    finding.check().text(),
                    finding.text(),
                    finding.check().why()));
    if (told.size() > LINES) {
      LOG.warn("With this configuration, {} more of the kind", told.size() - LINES);
    }
  }

  private static List<TableId> tables(
      SinkTopics topics, Database source, Database target, Time time, Deadline within) {
    return RouteReader.read(
            source, target, RouteNames.SUBSCRIPTIONS, time, within, new Cancellation())
        .tables()
        .keySet()
        .stream()
        .filter(topics.tables()::accepts)
        .toList();
  }
}
