package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.core.ManualTime;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.range.Route.Published;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.row.RowAccess.BatchRead;
import io.walproof.verifier.row.RowAccess.Opening;
import io.walproof.verifier.row.RowSettings;
import io.walproof.verifier.row.TablePlan;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is published changes while keys are read. */
class PublishedRowsTest {

  private static final TableId TABLE = new TableId("public", "t");
  private static final Published FEW =
      new Published(Optional.empty(), Optional.of("(id < 5)"), Optional.empty());

  private final ManualTime time = new ManualTime();
  private final List<String> done = new ArrayList<>();
  private Published published = Published.WHOLE;
  private Side away;
  private int asked;
  private final PublishedRows rows =
      new PublishedRows(this::route, Rows::new, RowSettings.defaults(), false, time);

  private Route route(Deadline deadline, Cancellation cancel) {
    asked++;
    if (away != null) {
      throw new RouteException(away, Outcome.Cause.UNREACHABLE, "nobody answers");
    }
    return new Route(
        Map.of(TABLE, new Route.SourceTable(false, List.of())),
        Optional.of(Map.of(TABLE, published)));
  }

  /** Notes by which filters it was made. */
  private final class Rows implements RowAccess {
    private final String filters;

    private Rows(RowSettings settings) {
      filters = settings.rowFilters().toString();
    }

    @Override
    public Opening open(
        TableId table, List<String> keyColumns, Deadline deadline, Cancellation cancel) {
      done.add("open " + filters);
      return new Opening.Ready(plan());
    }

    @Override
    public BatchRead read(
        Side side, TablePlan plan, List<RowKey> keys, Deadline deadline, Cancellation cancel) {
      done.add("read " + side.text());
      return new BatchRead.Rows(List.of(), Optional.empty());
    }

    @Override
    public HeldCommits heldCommits(Deadline deadline, Cancellation cancel) {
      return HeldCommits.NONE;
    }

    @Override
    public void close() {
      done.add("close");
    }
  }

  private static TablePlan plan() {
    return (TablePlan)
        Proxy.newProxyInstance(
            TablePlan.class.getClassLoader(),
            new Class<?>[] {TablePlan.class},
            (self, method, args) ->
                switch (method.getName()) {
                  case "table" -> TABLE;
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" -> self == args[0];
                  default -> throw new AssertionError(method.getName());
                });
  }

  private Deadline soon() {
    return Deadline.in(time, Duration.ofSeconds(5));
  }

  private Opening open() {
    return rows.open(TABLE, List.of("id"), soon(), new Cancellation());
  }

  private BatchRead read(Side side, TablePlan plan) {
    return rows.read(side, plan, List.of(), soon(), new Cancellation());
  }

  private Optional<BatchRead> confirm(TablePlan plan) {
    return rows.confirm(plan, soon(), new Cancellation());
  }

  @Test
  void aPlanStandsWhileWhatItWasMadeForDoes() {
    TablePlan plan = ((Opening.Ready) open()).plan();
    assertThat(read(Side.SOURCE, plan)).isInstanceOf(BatchRead.Rows.class);
    assertThat(asked).isEqualTo(1);
    assertThat(confirm(plan)).isEmpty();
    assertThat(asked).as("asked anew").isEqualTo(2);

    published = FEW;
    assertThat(read(Side.SOURCE, plan)).as("not asked yet").isInstanceOf(BatchRead.Rows.class);
    assertThat(confirm(plan)).containsInstanceOf(BatchRead.PlanStale.class);
    assertThat(read(Side.SOURCE, plan)).isInstanceOf(BatchRead.PlanStale.class);
    TablePlan fresh = ((Opening.Ready) open()).plan();
    assertThat(read(Side.SOURCE, fresh)).isInstanceOf(BatchRead.Rows.class);
    assertThat(done)
        .filteredOn(text -> text.startsWith("open"))
        .containsExactly("open {}", "open {public.t=(id < 5)}");
  }

  @Test
  void whatIsPublishedIsAskedForAgainAfterAWhile() {
    TablePlan plan = ((Opening.Ready) open()).plan();
    published = FEW;
    time.advance(Duration.ofSeconds(10));
    assertThat(read(Side.TARGET, plan)).as("it has no filter").isInstanceOf(BatchRead.Rows.class);
    assertThat(read(Side.SOURCE, plan)).isInstanceOf(BatchRead.PlanStale.class);
  }

  @Test
  void aTableOfWhichNothingFollowsIsNotJudged() {
    published =
        SentRows.of(
            List.of(
                new SentRows.Publication(Optional.empty(), Optional.empty(), true, false, true)));
    assertThat(open())
        .isInstanceOfSatisfying(
            Opening.Skipped.class,
            skipped -> {
              assertThat(skipped.reason()).isEqualTo("changes_not_sent");
              assertThat(skipped.detail()).startsWith("public.t: ");
            });
    assertThat(done).isEmpty();
  }

  @Test
  void aServerThatDoesNotTellIsNoEvidence() {
    away = Side.TARGET;
    assertThat(open())
        .isInstanceOfSatisfying(
            Opening.Unavailable.class,
            unavailable ->
                assertThat(unavailable.reason()).isEqualTo(IncompleteReason.TARGET_READ_FAILED));
    away = null;
    TablePlan plan = ((Opening.Ready) open()).plan();
    away = Side.SOURCE;
    assertThat(read(Side.SOURCE, plan)).isInstanceOf(BatchRead.Rows.class);
    assertThat(confirm(plan).orElseThrow())
        .isInstanceOfSatisfying(
            BatchRead.Failed.class,
            failed -> assertThat(failed.reason()).isEqualTo(IncompleteReason.SOURCE_READ_FAILED));
    time.advance(Duration.ofSeconds(10));
    assertThat(read(Side.SOURCE, plan)).isInstanceOf(BatchRead.Failed.class);
  }

  /** A publication may name the table's root, or its partitions. */
  @Test
  void whatIsPublishedUnderAnotherNameIsAskedForUnderItsOwn() {
    TableId leaf = new TableId("public", "t_1");
    PublishedRows ofLeaf =
        new PublishedRows(
            (deadline, cancel) ->
                new Route(
                    Map.of(
                        TABLE, new Route.SourceTable(false, List.of(leaf)),
                        leaf, new Route.SourceTable(true, List.of())),
                    Optional.of(Map.of(TABLE, FEW))),
            Rows::new,
            RowSettings.defaults(),
            false,
            time);
    ofLeaf.open(leaf, List.of("id"), soon(), new Cancellation());
    assertThat(done).containsExactly("open {public.t_1=(id < 5)}");
  }

  /** Of a table that no subscription carries the confirmation of replay says so. */
  @Test
  void aTableThatIsNotNamedIsLeftOut() {
    assertThat(unnamed(true))
        .isInstanceOfSatisfying(
            Opening.Skipped.class,
            skipped -> assertThat(skipped.reason()).isEqualTo("not_replicated"));
    assertThat(unnamed(false)).isInstanceOf(Opening.Ready.class);
  }

  private Opening unnamed(boolean named) {
    PublishedRows others =
        new PublishedRows(
            (deadline, cancel) ->
                new Route(
                    Map.of(TABLE, new Route.SourceTable(false, List.of())), Optional.of(Map.of())),
            Rows::new,
            RowSettings.defaults(),
            named,
            time);
    return others.open(TABLE, List.of("id"), soon(), new Cancellation());
  }
}
