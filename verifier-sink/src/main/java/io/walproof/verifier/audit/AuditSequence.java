package io.walproof.verifier.audit;

import io.walproof.contract.Time;
import io.walproof.verifier.model.AuditEntry;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Numbers, chains and encodes the records of one run that are kept nowhere but on a topic: from 1,
 * the first behind nothing. Not thread-safe.
 */
public final class AuditSequence {

  private final AuditEncoder encoder;
  private final Time time;
  private long nextSeq = 1;
  private String head = AuditFormat.NO_PREVIOUS;

  /**
   * The sequence of a run.
   *
   * @param runId what its records carry
   */
  public AuditSequence(String runId, Time time) {
    this.encoder = new AuditEncoder(runId);
    this.time = time;
  }

  /** The next records. */
  public List<EncodedEntry> encode(List<AuditEntry> entries) {
    List<EncodedEntry> encoded = new ArrayList<>(entries.size());
    for (AuditEntry entry : entries) {
      byte[] line = encoder.encode(nextSeq, head, time.now(), entry);
      nextSeq++;
      head = HexFormat.of().formatHex(AuditFormat.sha256().digest(line));
      encoded.add(new EncodedEntry(entry, line));
    }
    return encoded;
  }
}
