package io.walproof.standalone.run;

import io.walproof.contract.Time;
import io.walproof.standalone.ExitStatus;
import io.walproof.verifier.assembly.AssembledRangeCheck;
import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.audit.AuditSummary;
import io.walproof.verifier.audit.EvidenceCopy;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.core.Verifier;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.range.RangeException;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.Route;
import io.walproof.verifier.range.RouteReader;
import io.walproof.verifier.row.RowSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One range check in this process. It needs no slot of its own. {@link #run} belongs to one thread;
 * any other may ask for progress and cancel.
 */
public final class RangeSession {

  private static final Logger LOG = LoggerFactory.getLogger(RangeSession.class);

  private static final Duration ROUTE_TIMEOUT = Duration.ofSeconds(60);

  private final RangeRunSettings settings;
  private final RangeRequest request;
  private final boolean restart;
  private final Time time;
  private final Cancellation cancel = new Cancellation();
  private volatile AssembledRangeCheck running;

  /**
   * A check that has not begun.
   *
   * @param restart forgets what earlier checks of the same claims proved
   */
  public RangeSession(RangeRunSettings settings, RangeRequest request, boolean restart, Time time) {
    this.settings = settings;
    this.request = request;
    this.restart = restart;
    this.time = time;
  }

  /**
   * Checks what was asked for.
   *
   * @param atMost how long it may take; what is left then is incomplete
   * @throws RuntimeException with a message for the operator if it cannot be done
   */
  public RangeReport run(Optional<Duration> atMost) throws InterruptedException {
    Deadline deadline = atMost.map(d -> Deadline.in(time, d)).orElseGet(() -> Deadline.never(time));
    String runId = UUID.randomUUID().toString();
    try (StateDirectory state = StateDirectory.open(settings.stateDirectory());
        AuditLog audit =
            FileAuditLog.open(state, runId, time, settings.auditRotateBytes(), EvidenceCopy.NONE)) {
      Route route = route();
      RangeRequest.Work work = request.resolve(route, settings.filter());
      if (work.claims().isEmpty() && work.refused().isEmpty()) {
        throw new RangeException(
            "there is no table to check: "
                + (work.leftOut().isEmpty()
                    ? "the source has none, or none that is claimed"
                    : "the pipeline carries none of the source's tables"));
      }
      List<RangeResult> results = new ArrayList<>(work.refused());
      results.addAll(
          check(
              work, route, state.path().resolve(RunSession.RANGE_LEDGERS), audit, runId, deadline));
      return new RangeReport(runId, results, work.leftOut());
    }
  }

  private Route route() {
    try (Database source = Databases.open(settings.verifier().source(), time);
        Database target = Databases.open(settings.verifier().target(), time)) {
      Databases.requireDistinct(
          Databases.check(source, time, cancel), Databases.check(target, time, cancel));
      return RouteReader.read(
          source,
          target,
          settings.verifier().route(),
          time,
          Deadline.in(time, ROUTE_TIMEOUT),
          cancel);
    }
  }

  private List<RangeResult> check(
      RangeRequest.Work work,
      Route route,
      Path ledgers,
      AuditLog audit,
      String runId,
      Deadline deadline)
      throws InterruptedException {
    RowSettings rows = settings.verifier().rows();
    VerifierSettings scoped =
        settings.verifier().comparing(rows.publishing(route.columnLists(), route.rowFilters()));
    AssembledRangeCheck assembled =
        AssembledRangeCheck.start(scoped, settings.limits(), ledgers, restart, audit, time);
    String reason = "failed";
    List<RangeResult> results = List.of();
    try {
      record(audit, work.refused());
      running = assembled;
      results = assembled.check().run(work.claims(), deadline, cancel);
      refuseBadBounds(results);
      reason = cancel.isCancelled() ? "stopped" : "done";
    } finally {
      running = null;
      if (!assembled.stop(settings.shutdownTimeout())) {
        LOG.warn("The key checks' workers did not stop within the shutdown timeout");
      }
      Verifier verifier = assembled.verifier();
      ExitStatus status =
          reason.equals("failed")
              ? ExitStatus.ERROR
              : new RangeReport(runId, joined(work, results), List.of()).status();
      List<AuditEntry> last = new ArrayList<>(verifier.summaries());
      last.add(new AuditEntry.RunEnd(reason, verifier.total(), OptionalLong.of(status.code())));
      audit.append(last);
    }
    return results;
  }

  /** Tables that are left open are so in the evidence too. */
  private static void record(AuditLog audit, List<RangeResult> unread) {
    audit.append(unread.stream().<AuditEntry>map(RangeResult::toRecord).toList());
  }

  /** A bound that somebody mistyped is no finding. */
  private static void refuseBadBounds(List<RangeResult> results) {
    for (RangeResult result : results) {
      if (result.reason().filter("bound_refused"::equals).isPresent()
          && result.claim().origin() == Claim.Origin.REQUEST) {
        throw new RangeException(result.detail().orElseThrow());
      }
    }
  }

  private static List<RangeResult> joined(RangeRequest.Work work, List<RangeResult> results) {
    List<RangeResult> all = new ArrayList<>(work.refused());
    all.addAll(results);
    return all;
  }

  /** Where the evidence is. */
  public Path auditFile() {
    return StateDirectory.auditFile(settings.stateDirectory());
  }

  /** What the configuration says of single columns and of names, by setting. */
  public Map<String, String> columnSettings() {
    Map<String, String> said = new TreeMap<>(settings.verifier().scope());
    said.keySet().retainAll(AuditSummary.COLUMN_SETTINGS);
    said.values().removeIf(String::isBlank);
    return said;
  }

  /** How far it has come; empty before and after the reads. */
  public Optional<RangeCheck.Status> progress() {
    return Optional.ofNullable(running).flatMap(assembled -> assembled.check().progress());
  }

  /** The rows that differ and are not decided; none before and after the reads. */
  public UndecidedRows undecided() {
    AssembledRangeCheck assembled = running;
    if (assembled == null) {
      return UndecidedRows.NONE;
    }
    Verifier keys = assembled.verifier();
    return new UndecidedRows(keys.pending(), keys.deferred(), keys.untilRecheck());
  }

  /** Ends it soon; statements are cancelled, and a later check continues. */
  public void cancel() {
    cancel.cancel();
  }
}
