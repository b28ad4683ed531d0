package io.walproof.verifier.assembly;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.Databases;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Coverage;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.range.Claim;
import io.walproof.verifier.range.RangeCheck;
import io.walproof.verifier.range.RangeLimits;
import io.walproof.verifier.range.RangeResult;
import io.walproof.verifier.range.Route;
import io.walproof.verifier.range.RouteReader;
import io.walproof.verifier.row.RowSettings;
import io.walproof.verifier.schedule.OnHold;
import io.walproof.verifier.schedule.RangeFigures;
import io.walproof.verifier.schedule.RangeScheduler;
import io.walproof.verifier.schedule.RangeWork;
import io.walproof.verifier.schedule.ReadingTurn;
import io.walproof.verifier.schedule.RestOffsets;
import io.walproof.verifier.schedule.ScheduleFile;
import io.walproof.verifier.schedule.ScheduleSettings;
import io.walproof.verifier.schedule.Survey;
import io.walproof.verifier.schedule.TableFilter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts together range checks that nobody asks for one by one. */
public final class UnattendedRanges {

  private static final Logger LOG = LoggerFactory.getLogger(UnattendedRanges.class);

  private static final Duration ROUTE_TIMEOUT = Duration.ofSeconds(60);

  private UnattendedRanges() {}

  /**
   * What they need to know.
   *
   * @param verifier the key checks of rows that differ, and both databases
   * @param limits the bounds of one check
   * @param schedule when checks begin
   * @param filter which tables the pipeline lets through
   * @param share which of them are checked here
   * @param ledgers the directory for ledgers
   * @param shutdownTimeout how long a round's end may take
   */
  public record Setup(
      VerifierSettings verifier,
      RangeLimits limits,
      ScheduleSettings schedule,
      TableFilter filter,
      Predicate<TableId> share,
      Path ledgers,
      Duration shutdownTimeout) {

    /** All are required. */
    public Setup {
      Objects.requireNonNull(verifier, "verifier");
      Objects.requireNonNull(limits, "limits");
      Objects.requireNonNull(schedule, "schedule");
      Objects.requireNonNull(filter, "filter");
      Objects.requireNonNull(share, "share");
      Objects.requireNonNull(ledgers, "ledgers");
      Objects.requireNonNull(shutdownTimeout, "shutdownTimeout");
    }
  }

  /**
   * A scheduler that has not started.
   *
   * @param audit where evidence goes, of the run that they belong to; stays open
   * @param figures what is counted
   * @param file remembers across restarts what is to be done; empty if nothing does
   */
  public static RangeScheduler create(
      Setup setup, AuditLog audit, Time time, RangeFigures figures, Optional<ScheduleFile> file) {
    return new RangeScheduler(time, setup.schedule(), new Work(setup, audit, time), figures, file);
  }

  private record Work(Setup setup, AuditLog audit, Time time) implements RangeWork {

    @Override
    public Survey survey(Cancellation cancel) throws InterruptedException {
      Optional<RestOffsets> claims = setup.schedule().claims();
      Optional<Map<String, Object>> offset =
          claims.isPresent() ? Optional.of(claims.get().read(cancel)) : Optional.empty();
      return new Survey(
          route(cancel), offset, setup.schedule().known(), setup.filter(), setup.share());
    }

    private Route route(Cancellation cancel) {
      try (Database source = Databases.open(setup.verifier().source(), time);
          Database target = Databases.open(setup.verifier().target(), time)) {
        return RouteReader.read(
            source,
            target,
            setup.verifier().route(),
            time,
            Deadline.in(time, ROUTE_TIMEOUT),
            cancel);
      }
    }

    @Override
    public Desk open(Survey survey, Cancellation cancel) {
      VerifierSettings verifier = setup.verifier();
      RowSettings rows = verifier.rows();
      // The run's own key checks confirm at the same time, in a row of their own.
      VerifierSettings scoped =
          verifier
              .comparing(rows.publishing(survey.route().columnLists(), survey.route().rowFilters()))
              .beside("unattended");
      return new OpenDesk(
          AssembledRangeCheck.start(
              scoped, setup.limits(), setup.ledgers(), false, audit, time, false, cancel),
          setup.shutdownTimeout());
    }

    @Override
    public void record(AuditEntry entry) {
      audit.append(List.of(entry));
    }
  }

  private static final class OpenDesk implements RangeWork.Desk {
    private final AssembledRangeCheck assembled;
    private final Duration shutdownTimeout;
    private final Set<AssembledRangeCheck.Alone> running = ConcurrentHashMap.newKeySet();

    OpenDesk(AssembledRangeCheck assembled, Duration shutdownTimeout) {
      this.assembled = assembled;
      this.shutdownTimeout = shutdownTimeout;
    }

    @Override
    public RangeResult check(
        Claim claim, boolean restart, Deadline deadline, Cancellation cancel, ReadingTurn turn)
        throws InterruptedException {
      try (AssembledRangeCheck.Alone alone = assembled.alone(restart, turn)) {
        running.add(alone);
        try {
          return alone.check().run(List.of(claim), deadline, cancel).get(0);
        } finally {
          running.remove(alone);
          if (cancel.isCancelled()) {
            // The table's next check must not be told what became of this one's keys.
            alone.giveUp().run();
          }
        }
      }
    }

    @Override
    public List<RangeCheck.Status> progress() {
      return running.stream().flatMap(alone -> alone.progress().stream()).toList();
    }

    @Override
    public OnHold onHold() {
      return new OnHold(assembled.verifier().deferred(), assembled.verifier().oldestDeferred());
    }

    @Override
    public Map<TableId, Coverage> keys() {
      return assembled.verifier().perTable();
    }

    @Override
    public void close() {
      try {
        if (!assembled.stop(shutdownTimeout)) {
          LOG.warn("The range checks' workers did not stop within the shutdown timeout");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
