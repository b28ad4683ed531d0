package io.walproof.connector.relation;

import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import java.util.Objects;

/**
 * What one change did to one key.
 *
 * @param key the key
 * @param operation what happened to it
 */
public record KeyChange(RowKey key, Operation operation) {
  /** Refuses null. */
  public KeyChange {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(operation, "operation");
  }
}
