package io.walproof.verifier.publish;

import io.walproof.contract.Time;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.audit.AuditSequence;
import io.walproof.verifier.audit.EvidenceCopy;
import io.walproof.verifier.model.AuditEntry;
import java.util.List;

/**
 * Evidence on the verify topic alone: each run's records are numbered from 1 and chained among
 * themselves. Thread-safe.
 */
public final class TopicAuditLog implements AuditLog {

  private final EvidenceCopy topic;
  private final AuditSequence sequence;

  /**
   * A run's log.
   *
   * @param topic where the records go; closed with this log
   * @param runId what the run's records carry
   */
  public TopicAuditLog(EvidenceCopy topic, String runId, Time time) {
    this.topic = topic;
    this.sequence = new AuditSequence(runId, time);
  }

  @Override
  public synchronized void append(List<AuditEntry> entries) {
    if (!entries.isEmpty()) {
      topic.append(sequence.encode(entries));
    }
  }

  @Override
  public void close() {
    topic.close();
  }
}
