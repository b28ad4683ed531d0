package io.walproof.connector.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.ColumnChange.What;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two threads and three moments: a reading, what is offered of it, and that it was delivered. */
class CatalogWatchTest {

  private static final TableId T = new TableId("public", "t");
  private static final String PUBLISHED = "{\"oid\":5,\"published\":true,\"members\":[7]}";
  private static final String PUBLISHED_ANEW = "{\"oid\":5,\"published\":true,\"members\":[8]}";
  private static final CommittedRows NOBODY_ASKS =
      (table, xid) -> {
        throw new AssertionError("nothing is suspected");
      };

  private final CatalogStore store = CatalogStore.inMemory();
  private final CatalogWatch watch = watch();

  @Test
  void aReadingBetweenOfferAndDeliveryIsNeitherLostNorTakenForTold() throws Exception {
    first(reading(1, filter(1), 0));
    watch.delivered(watch.events());
    next(reading(2, filter(2), 0));
    List<DriftEvent> second = watch.events();
    assertThat(second).singleElement().satisfies(event -> isAt(event, 2));

    next(reading(3, filter(3), 0));
    watch.delivered(second);
    assertThat(store.read()).contains(Map.of("public.t", filter(2)));
    assertThat(watch.events()).as("nothing is told before it is compared").isEmpty();
    watch.delivered(List.of());
    assertThat(store.read()).contains(Map.of("public.t", filter(2)));

    next(reading(4, filter(3), 0));
    List<DriftEvent> third = watch.events();
    assertThat(third).singleElement().satisfies(event -> isAt(event, 4));
    watch.delivered(third);
    assertThat(store.read()).contains(Map.of("public.t", filter(3)));
    next(reading(5, filter(3), 0));
    assertThat(watch.events()).isEmpty();
  }

  /** The server may take its time; what is delivered meanwhile does not wait for it. */
  @Test
  void nobodyWaitsForWhatTheServerIsAsked() throws Exception {
    String facts = "{\"published\":true}";
    first(reading(0, facts, 0));
    CompletableFuture<List<DriftEvent>> meanwhile = new CompletableFuture<>();
    CommittedRows slow =
        (table, xid) -> {
          meanwhile.complete(eventsOnAnotherThread());
          return Optional.of(new Lsn(1));
        };
    for (int i = 1; !meanwhile.isDone() && i < 20; i++) {
      watch.next(reading(i, facts, 10L * i), Map.of(T, 0L), new Lsn(i), slow);
    }
    assertThat(meanwhile).isCompletedWithValue(List.of());
    watch.next(reading(20, facts, 200), Map.of(T, 0L), new Lsn(20), slow);
    assertThat(watch.events())
        .singleElement()
        .satisfies(event -> assertThat(event.kind()).isEqualTo(Kind.NOTHING_DELIVERED));
  }

  @Test
  void aTableThatIsThereAgainWasNotPublishedMeanwhile() throws Exception {
    first(reading(1, PUBLISHED, 0));
    watch.delivered(watch.events());
    next(without(2));
    List<DriftEvent> gone = watch.events();
    assertThat(gone).extracting(DriftEvent::kind).containsExactly(Kind.CATALOG_CHANGED);
    watch.delivered(gone);
    next(without(3));
    assertThat(watch.events()).as("it is told once that it is gone").isEmpty();
    next(reading(4, PUBLISHED_ANEW, 0));
    List<DriftEvent> again = watch.events();
    assertThat(again).extracting(DriftEvent::kind).containsExactly(Kind.CATALOG_CHANGED, Kind.GAP);
    assertThat(again.get(1).detail()).contains("exists again", "was not delivered");
    watch.delivered(again);
    next(reading(5, PUBLISHED_ANEW, 0));
    assertThat(watch.events()).isEmpty();
  }

  @Test
  void aTableThatIsThereAgainAfterARestartIsAGapToo() throws Exception {
    first(reading(1, PUBLISHED, 0));
    watch.delivered(watch.events());
    next(without(2));
    watch.delivered(watch.events());

    CatalogWatch second = watch();
    second.first(reading(3, PUBLISHED_ANEW, 0), T::equals, Set.of());
    assertThat(second.events())
        .extracting(DriftEvent::kind)
        .containsExactly(Kind.CATALOG_CHANGED, Kind.GAP);

    // One that is not is told no more, and is a new one when it comes later on.
    CatalogWatch third = watch();
    third.first(without(4), T::equals, Set.of());
    assertThat(third.events()).isEmpty();
    third.delivered(List.of());
    CatalogWatch fourth = watch();
    fourth.first(reading(5, PUBLISHED_ANEW, 0), T::equals, Set.of());
    assertThat(fourth.events()).isEmpty();
  }

  @Test
  void aTableThatIsGoneAfterARestartWasDroppedOnlyIfTheSettingsIncludeIt() {
    first(reading(1, PUBLISHED, 0));
    watch.delivered(watch.events());
    CatalogWatch excluding = watch();
    excluding.first(without(2), table -> false, Set.of());
    assertThat(excluding.events()).isEmpty();
    CatalogWatch including = watch();
    including.first(without(2), T::equals, Set.of());
    assertThat(including.events())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.kind()).isEqualTo(Kind.CATALOG_CHANGED);
              assertThat(event.occurrence()).isEqualTo(Occurrence.ACROSS_RESTART);
              assertThat(event.table()).contains(T);
              assertThat(event.changes())
                  .containsExactly(
                      new ColumnChange("", What.TABLE, "exists", "dropped or renamed", false));
            });
  }

  @Test
  void anotherMemberOfThePublicationIsAGapUnlessTheStartTellsIt() {
    store.write(Map.of("public.t", PUBLISHED));
    first(reading(2, PUBLISHED_ANEW, 0));
    assertThat(watch.events())
        .extracting(DriftEvent::kind)
        .containsExactly(Kind.CATALOG_CHANGED, Kind.GAP);
    assertThat(watch.events().get(1).detail())
        .contains("carries this table anew")
        .doesNotContain("row filter");
    CatalogWatch told = watch();
    told.first(reading(2, PUBLISHED_ANEW, 0), T::equals, Set.of(T));
    assertThat(told.events()).extracting(DriftEvent::kind).containsExactly(Kind.CATALOG_CHANGED);
  }

  @Test
  void operationsThatAreNotPublishedAreOneGapOfAllTables() throws Exception {
    first(reading(1, publishing("insert, update, delete, truncate"), 0));
    watch.delivered(watch.events());
    next(reading(2, publishing("insert, update, delete"), 0));
    List<DriftEvent> truncate = watch.events();
    assertThat(truncate).extracting(DriftEvent::kind).containsExactly(Kind.CATALOG_CHANGED);
    watch.delivered(truncate);
    next(reading(3, publishing("insert, truncate"), 0));
    List<DriftEvent> fewer = watch.events();
    assertThat(fewer).extracting(DriftEvent::kind).containsExactly(Kind.CATALOG_CHANGED, Kind.GAP);
    assertThat(fewer).allMatch(event -> event.table().isEmpty());
    assertThat(fewer.get(1).detail())
        .contains("does not publish every update and delete any more", "SET (publish = ");
    watch.delivered(fewer);
    next(reading(4, publishing("update, delete"), 0));
    List<DriftEvent> others = watch.events();
    assertThat(others.get(1).detail())
        .contains("every insert any more", "every update and delete again");
    watch.delivered(others);
    next(reading(5, publishing("insert, update, delete"), 0));
    List<DriftEvent> all = watch.events();
    assertThat(all).extracting(DriftEvent::kind).containsExactly(Kind.CATALOG_CHANGED, Kind.GAP);
    assertThat(all.get(1).detail()).contains("every insert again").doesNotContain("any more");
  }

  private static String publishing(String operations) {
    return "{\"published\":true,\"members\":[7],\"operations\":\"" + operations + "\"}";
  }

  private List<DriftEvent> eventsOnAnotherThread() {
    return CompletableFuture.supplyAsync(watch::events)
        .orTimeout(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  private CatalogWatch watch() {
    return new CatalogWatch(store, "walproof", "report");
  }

  private void first(CatalogReading reading) {
    watch.first(reading, T::equals, Set.of());
  }

  private void next(CatalogReading reading) throws Exception {
    watch.next(reading, Map.of(), Lsn.NONE, NOBODY_ASKS);
  }

  private static void isAt(DriftEvent event, long at) {
    assertThat(event.kind()).isEqualTo(Kind.CATALOG_CHANGED);
    assertThat(event.table()).contains(T);
    assertThat(event.lsn()).isEqualTo(new Lsn(at));
  }

  private static CatalogReading without(long at) {
    return new CatalogReading(new Lsn(at), at, Map.of(), Map.of());
  }

  private static String filter(int number) {
    return "{\"published\":true,\"row_filter\":\"id > " + number + "\"}";
  }

  private static CatalogReading reading(long at, String facts, long changes) {
    return new CatalogReading(new Lsn(at), at, Map.of(T, facts), Map.of(T, changes));
  }
}
