package io.walproof.verifier.audit;

import java.util.List;

/** A second place for the same records. Called by one thread at a time. */
public interface EvidenceCopy extends AutoCloseable {

  /** For those who keep one copy only. */
  EvidenceCopy NONE =
      new EvidenceCopy() {
        @Override
        public void append(List<EncodedEntry> entries) {}

        @Override
        public void close() {}
      };

  /**
   * Appends the records in order and returns once they are durable there too (invariant B). After a
   * failure every further call fails too.
   *
   * @throws AuditException if the records are not known to be durable
   */
  void append(List<EncodedEntry> entries);

  @Override
  void close();
}
