package io.walproof.connector.connect;

import io.walproof.connector.offset.Position;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A position as a source offset. Every record has one and the worker stores one in a great many, so
 * the entries are put together only when they are read. Immutable.
 */
final class SourceOffset extends AbstractMap<String, Object> {

  private final Position position;
  private Map<String, Object> entries;

  SourceOffset(Position position) {
    this.position = position;
  }

  Position position() {
    return position;
  }

  @Override
  public synchronized Set<Entry<String, Object>> entrySet() {
    if (entries == null) {
      Map<String, Object> all = position.entries();
      // An absent entry and a null one mean the same to Debezium.
      all.values().removeIf(Objects::isNull);
      entries = Collections.unmodifiableMap(all);
    }
    return entries.entrySet();
  }
}
