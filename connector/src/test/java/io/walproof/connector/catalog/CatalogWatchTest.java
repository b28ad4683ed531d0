package io.walproof.connector.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two threads and three moments: a reading, what is offered of it, and that it was delivered. */
class CatalogWatchTest {

  private static final TableId T = new TableId("public", "t");
  private static final CommittedRows NOBODY_ASKS =
      (table, xid) -> {
        throw new AssertionError("nothing is suspected");
      };

  private final CatalogStore store = CatalogStore.inMemory();
  private final CatalogWatch watch = new CatalogWatch(store, "walproof", "report");

  @Test
  void aReadingBetweenOfferAndDeliveryIsNeitherLostNorTakenForTold() throws Exception {
    watch.first(reading(1, filter(1), 0));
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
    watch.first(reading(0, facts, 0));
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

  private List<DriftEvent> eventsOnAnotherThread() {
    return CompletableFuture.supplyAsync(watch::events)
        .orTimeout(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  private void next(CatalogReading reading) throws Exception {
    watch.next(reading, Map.of(), Lsn.NONE, NOBODY_ASKS);
  }

  private static void isAt(DriftEvent event, long at) {
    assertThat(event.kind()).isEqualTo(Kind.CATALOG_CHANGED);
    assertThat(event.table()).contains(T);
    assertThat(event.lsn()).isEqualTo(new Lsn(at));
  }

  private static String filter(int number) {
    return "{\"published\":true,\"row_filter\":\"id > " + number + "\"}";
  }

  private static CatalogReading reading(long at, String facts, long changes) {
    return new CatalogReading(new Lsn(at), at, Map.of(T, facts), Map.of(T, changes));
  }
}
