package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.range.Route.Excluded;
import io.walproof.verifier.range.Route.Published;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.row.RowAccesses;
import io.walproof.verifier.row.RowSettings;
import io.walproof.verifier.row.TablePlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Function;

/**
 * Reads rows by key as the pipeline publishes them: a source row that no publication lets through
 * is as good as absent, a column that none carries is not compared, and a table of which it does
 * not follow which rows there should be is not judged. What is published may change at any time,
 * and a plan that was made before is stale then. For one worker thread.
 */
public final class PublishedRows implements RowAccess {

  /** How old knowledge of the publications may be that nobody is accused by. */
  private static final Duration OLDEST = Duration.ofSeconds(10);

  /** Asks the servers what the pipeline carries. */
  @FunctionalInterface
  interface RouteSource {
    /**
     * Asks.
     *
     * @throws RouteException if a server does not tell
     */
    Route read(Deadline deadline, Cancellation cancel);
  }

  private final RouteSource routes;
  private final Function<RowSettings, RowAccess> rows;
  private final RowSettings settings;

  /**
   * Whether somebody named the pipeline's publications. Of a table that no subscription carries the
   * confirmation of replay says so, unless its rows are equal.
   */
  private final boolean named;

  private final Time time;
  private final Map<TablePlan, Optional<Published>> madeFor = new WeakHashMap<>();
  private Route route;
  private long readAt;

  /** Reads by any plan; plans are made by one that knows what is published of their table. */
  private final RowAccess access;

  PublishedRows(
      RouteSource routes,
      Function<RowSettings, RowAccess> rows,
      RowSettings settings,
      boolean named,
      Time time) {
    this.routes = routes;
    this.named = named;
    this.rows = rows;
    this.settings = settings;
    this.access = rows.apply(settings);
    this.time = time;
  }

  /**
   * For one worker thread; the pools may be shared, and closing the access leaves them open.
   *
   * @param settings how rows are compared that are published whole
   * @param names what says what the pipeline carries
   */
  public static RowAccess create(
      Database source, Database target, RowSettings settings, RouteNames names, Time time) {
    return new PublishedRows(
        (deadline, cancel) -> RouteReader.read(source, target, names, time, deadline, cancel),
        published -> RowAccesses.create(source, target, published, time),
        settings,
        !names.publications().isEmpty(),
        time);
  }

  @Override
  public Opening open(
      TableId table, List<String> keyColumns, Deadline deadline, Cancellation cancel) {
    Optional<BatchRead.Failed> unknown = refresh(OLDEST, deadline, cancel);
    if (unknown.isPresent()) {
      return new Opening.Unavailable(unknown.get().reason(), unknown.get().detail());
    }
    Optional<Published> how = route.carried(table);
    Optional<Excluded> why = how.flatMap(Published::excluded);
    if (why.isPresent() && (named || why.get().inPart())) {
      return new Opening.Skipped(why.get().reason(), table + ": " + why.get().detail());
    }
    // By the table's own name, whatever the publication calls it.
    RowSettings published =
        settings.publishing(
            by(table, how.flatMap(Published::columns)),
            by(table, how.flatMap(Published::condition)));
    Opening opening = rows.apply(published).open(table, keyColumns, deadline, cancel);
    if (opening instanceof Opening.Ready ready) {
      madeFor.put(ready.plan(), how);
    }
    return opening;
  }

  private static <T> Map<TableId, T> by(TableId table, Optional<T> what) {
    return what.map(each -> Map.of(table, each)).orElseGet(Map::of);
  }

  @Override
  public BatchRead read(
      Side side, TablePlan plan, List<RowKey> keys, Deadline deadline, Cancellation cancel) {
    Optional<BatchRead> end =
        side == Side.SOURCE ? check(plan, OLDEST, deadline, cancel) : Optional.empty();
    return end.orElseGet(() -> access.read(side, plan, keys, deadline, cancel));
  }

  @Override
  public Optional<BatchRead> confirm(TablePlan plan, Deadline deadline, Cancellation cancel) {
    return check(plan, Duration.ZERO, deadline, cancel);
  }

  @Override
  public HeldCommits heldCommits(Deadline deadline, Cancellation cancel) {
    return access.heldCommits(deadline, cancel);
  }

  @Override
  public void close() {
    access.close();
  }

  /** Empty if the plan is what it would be made like now. */
  private Optional<BatchRead> check(
      TablePlan plan, Duration oldest, Deadline deadline, Cancellation cancel) {
    Optional<BatchRead.Failed> unknown = refresh(oldest, deadline, cancel);
    if (unknown.isPresent()) {
      return Optional.of(unknown.get());
    }
    return route.carried(plan.table()).equals(madeFor.get(plan))
        ? Optional.empty()
        : Optional.of(new BatchRead.PlanStale());
  }

  /** Asks again if the last answer is older; what went wrong if there is none. */
  private Optional<BatchRead.Failed> refresh(
      Duration oldest, Deadline deadline, Cancellation cancel) {
    if (route != null && time.nanoTime() - readAt < oldest.toNanos()) {
      return Optional.empty();
    }
    long now = time.nanoTime();
    try {
      route = routes.read(deadline, cancel);
      readAt = now;
      return Optional.empty();
    } catch (RouteException e) {
      return Optional.of(
          new BatchRead.Failed(RowAccesses.reason(e.side(), e.cause()), e.getMessage()));
    }
  }
}
