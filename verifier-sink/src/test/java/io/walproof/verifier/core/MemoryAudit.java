package io.walproof.verifier.core;

import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.model.AuditEntry;
import java.util.ArrayList;
import java.util.List;

/** Keeps entries in memory; can be told to fail. */
final class MemoryAudit implements AuditLog {

  private final List<AuditEntry> entries = new ArrayList<>();
  private boolean broken;

  synchronized void breakDown() {
    broken = true;
  }

  @Override
  public synchronized void append(List<AuditEntry> batch) {
    if (broken) {
      throw new AuditException("no space left");
    }
    entries.addAll(batch);
  }

  synchronized List<AuditEntry.Decision> decisions() {
    return entries.stream()
        .filter(AuditEntry.Decision.class::isInstance)
        .map(AuditEntry.Decision.class::cast)
        .toList();
  }

  synchronized List<AuditEntry.Observation> observations() {
    return entries.stream()
        .filter(AuditEntry.Observation.class::isInstance)
        .map(AuditEntry.Observation.class::cast)
        .toList();
  }

  @Override
  public void close() {}
}
