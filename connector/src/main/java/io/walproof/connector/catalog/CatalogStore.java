package io.walproof.connector.catalog;

import java.util.Map;
import java.util.Optional;

/** Where the last reading is kept, so that a change while nobody ran is seen. Not thread-safe. */
public interface CatalogStore {

  /** Keeps nothing over a restart: only what changes while a capture runs is seen. */
  static CatalogStore inMemory() {
    return new CatalogStore() {
      private Optional<Map<String, String>> kept = Optional.empty();

      @Override
      public Optional<Map<String, String>> read() {
        return kept;
      }

      @Override
      public void write(Map<String, String> facts) {
        kept = Optional.of(Map.copyOf(facts));
      }
    };
  }

  /**
   * The last reading: each table's facts by its display name; empty before the first.
   *
   * @throws CatalogStoreException if there is one that cannot be read; it is then replaced by the
   *     next {@link #write}
   */
  Optional<Map<String, String>> read();

  /**
   * Says what {@link #write} is given next, once the events of that reading are delivered; called
   * ahead of them.
   */
  default void offered(Map<String, String> facts) {}

  /**
   * Makes a reading durable before returning, or sees to it that it becomes durable after the
   * reading's events.
   *
   * @throws CatalogStoreException if that failed
   */
  void write(Map<String, String> facts);
}
