package io.walproof.verifier.range;

import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess;
import io.walproof.verifier.row.RangeAccess.Digest;
import io.walproof.verifier.row.RangePlan;
import io.walproof.verifier.row.ServerDigest;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Has both servers digest a range at the same time. For one thread. */
final class BothDigests implements AutoCloseable {

  private final SideReader reader;
  private final RangeAccess access;
  private final Cancellation cancel;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread worker = new Thread(work, "walproof-range-digest");
            worker.setDaemon(true);
            return worker;
          });

  BothDigests(SideReader reader, RangeAccess access, Cancellation cancel) {
    this.reader = reader;
    this.access = access;
    this.cancel = cancel;
  }

  /**
   * How it went.
   *
   * @param equal whether the digests prove the rows to be equal
   * @param sourceRows how many rows the source counted; unknown and as if few, if some row's values
   *     cannot be read
   * @param comparable whether digests of these two servers can be equal at all
   * @param end why there are none
   */
  record Result(boolean equal, long sourceRows, boolean comparable, Optional<WalkEnd> end) {}

  Result of(KeyRange range) throws InterruptedException {
    while (true) {
      RangePlan plan = reader.plan();
      Future<Digest> ahead = thread.submit(() -> digest(Side.SOURCE, plan, range));
      Digest target = digest(Side.TARGET, plan, range);
      Digest source = taken(ahead);
      if (source instanceof Digest.PlanStale || target instanceof Digest.PlanStale) {
        WalkEnd end = reader.renew(plan, cancel);
        if (end != null) {
          return new Result(false, 0, false, Optional.of(end));
        }
        continue;
      }
      return judge(source, target);
    }
  }

  private Result judge(Digest source, Digest target) {
    for (Digest digest : new Digest[] {source, target}) {
      if (digest instanceof Digest.Failed failed && !failed.values()) {
        return new Result(
            false, 0, false, Optional.of(reader.ended(failed.reason(), failed.detail(), cancel)));
      }
    }
    if (source instanceof Digest.Made here && target instanceof Digest.Made there) {
      ServerDigest one = here.digest();
      ServerDigest other = there.digest();
      return new Result(
          one.provesEqual(other),
          one.rows(),
          one.encoding().equals(other.encoding()),
          Optional.empty());
    }
    long rows = source instanceof Digest.Made here ? here.digest().rows() : 0;
    return new Result(false, rows, true, Optional.empty());
  }

  private Digest digest(Side side, RangePlan plan, KeyRange range) throws InterruptedException {
    return reader.resting(until -> access.digest(side, plan, range, until, cancel), cancel);
  }

  private static Digest taken(Future<Digest> ahead) throws InterruptedException {
    try {
      return ahead.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("digesting failed", e.getCause());
    }
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
