package io.walproof.verifier.range;

import io.walproof.contract.Time;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RangeAccess.Content;
import io.walproof.verifier.row.RangeAccess.KeyAt;
import java.util.Optional;

/**
 * Decides where a table is digested. Its first rows are read both ways, twice, so that what was not
 * cached does not count. Only the choice comes of it; the rows are checked like any others.
 */
final class DigestTrial {

  private static final int ROWS = 5_000;

  /** The servers work more when they digest, so that must be worth it. */
  private static final double WORTH = 0.7;

  private final Time time;
  private final RangeAccess access;
  private final Walk.Parts parts;

  DigestTrial(Time time, RangeAccess access, Walk.Parts parts) {
    this.time = time;
    this.access = access;
    this.parts = parts;
  }

  /** Never {@link DigestPlace#AUTO}. */
  DigestPlace choose(DigestPlace configured) throws InterruptedException {
    if (configured == DigestPlace.CLIENT || !parts.reader().plan().isIndexed(Side.TARGET)) {
      return DigestPlace.CLIENT;
    }
    KeyRange range = parts.claim().range();
    KeyAt at =
        access.keyAt(
            parts.reader().plan(), range, ROWS - 1, parts.reader().readDeadline(), parts.cancel());
    if (configured == DigestPlace.SERVER) {
      KeyRange some = at instanceof KeyAt.Key key ? range.through(key.key()) : range;
      return server(some).isPresent() ? DigestPlace.SERVER : DigestPlace.CLIENT;
    }
    if (!(at instanceof KeyAt.Key key)) {
      return DigestPlace.CLIENT;
    }
    KeyRange first = range.through(key.key());
    long server = Long.MAX_VALUE;
    long client = Long.MAX_VALUE;
    for (int round = 0; round < 2; round++) {
      Optional<Long> digested = server(first);
      if (digested.isEmpty()) {
        return DigestPlace.CLIENT;
      }
      server = Math.min(server, digested.get());
      client = Math.min(client, client(first));
    }
    return server < client * WORTH ? DigestPlace.SERVER : DigestPlace.CLIENT;
  }

  /** Nanoseconds; empty if the servers' digests cannot be compared. */
  private Optional<Long> server(KeyRange range) throws InterruptedException {
    try (BothDigests digests = new BothDigests(parts.reader(), access, parts.cancel())) {
      long began = time.nanoTime();
      BothDigests.Result result = digests.of(range);
      return result.comparable() && result.end().isEmpty()
          ? Optional.of(time.nanoTime() - began)
          : Optional.empty();
    }
  }

  /** Nanoseconds for one side: the other is read at the same time. */
  private long client(KeyRange range) throws InterruptedException {
    long longest = 0;
    for (Side side : Side.values()) {
      long began = time.nanoTime();
      parts.reader().read(side, range, ROWS, Content.LINES, parts.cancel());
      longest = Math.max(longest, time.nanoTime() - began);
    }
    return longest;
  }
}
