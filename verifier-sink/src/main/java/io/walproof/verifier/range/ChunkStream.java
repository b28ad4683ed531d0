package io.walproof.verifier.range;

import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RangeAccess.Content;
import io.walproof.verifier.row.RowsChunk;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One side's rows in order, chunk by chunk, read one chunk ahead on a thread of its own, so that
 * the other side can be read meanwhile. For one consumer. Closing it stops a running read.
 */
final class ChunkStream implements AutoCloseable {

  /** A cancelled statement ends at once, unless the network is gone. */
  private static final int CLOSING_SECONDS = 5;

  private final SideReader reader;
  private final Side side;
  private final Content content;
  private final ChunkSize size;
  private final Cancellation stop = new Cancellation();
  private final Cancellation.Registration registration;
  private final ExecutorService thread;
  private KeyRange rest;
  private Future<Ahead> next;

  private record Ahead(SideReader.Result result, int limit) {}

  ChunkStream(
      SideReader reader,
      Side side,
      Content content,
      ChunkSize size,
      KeyRange range,
      Cancellation cancel) {
    this.reader = reader;
    this.side = side;
    this.content = content;
    this.size = size;
    this.rest = range;
    this.registration = cancel.onCancel(stop::cancel);
    this.thread =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread worker = new Thread(work, "walproof-range-" + side.text());
              worker.setDaemon(true);
              return worker;
            });
    this.next = thread.submit(() -> read(range));
  }

  /**
   * A piece of the range.
   *
   * @param range what it spans
   * @param chunk its rows
   * @param to its last key; empty if the range's end is reached
   */
  record Piece(KeyRange range, RowsChunk chunk, Optional<List<String>> to) {}

  /** The next piece, or why there is none. Not to be called after the last. */
  Next next() throws InterruptedException {
    Ahead ahead = taken();
    if (ahead.result() instanceof SideReader.Result.Ended ended) {
      return new Next(Optional.empty(), ended.end());
    }
    RowsChunk chunk = ((SideReader.Result.Rows) ahead.result()).chunk();
    if (chunk.size() < ahead.limit()) {
      return new Next(Optional.of(new Piece(rest, chunk, Optional.empty())), WalkEnd.done());
    }
    List<String> last = chunk.keyTexts(chunk.size() - 1);
    Piece piece = new Piece(rest.through(last), chunk, Optional.of(last));
    rest = rest.after(last);
    KeyRange following = rest;
    next = thread.submit(() -> read(following));
    return new Next(Optional.of(piece), WalkEnd.done());
  }

  /**
   * What comes next.
   *
   * @param piece rows, or empty
   * @param end why there are none
   */
  record Next(Optional<Piece> piece, WalkEnd end) {}

  private Ahead read(KeyRange range) throws InterruptedException {
    int limit = size.rows();
    SideReader.Result result = reader.read(side, range, limit, content, stop);
    if (result instanceof SideReader.Result.Rows rows) {
      size.saw(rows.chunk());
    }
    return new Ahead(result, limit);
  }

  private Ahead taken() throws InterruptedException {
    try {
      return next.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("reading ahead failed", e.getCause());
    }
  }

  @Override
  public void close() {
    stop.cancel();
    registration.close();
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      thread.shutdownNow();
    }
  }
}
