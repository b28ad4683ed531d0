package io.walproof.verifier.audit;

import io.walproof.verifier.model.AuditEntry;
import java.util.List;

/** Where evidence goes. Thread-safe. */
public interface AuditLog extends AutoCloseable {

  /**
   * Appends the entries in order and returns once they are durable (invariant B). After a failure
   * every further call fails too: verification must stop.
   *
   * @throws AuditException if the entries are not known to be durable
   */
  void append(List<AuditEntry> entries);

  @Override
  void close();
}
