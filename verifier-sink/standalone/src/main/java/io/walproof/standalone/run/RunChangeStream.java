package io.walproof.standalone.run;

import io.walproof.connector.engine.CaptureEngine;
import io.walproof.connector.engine.CaptureException;
import io.walproof.connector.engine.PublicationState;
import io.walproof.contract.Lsn;
import io.walproof.verifier.versions.ChangeStream;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The run's own stream, for the verifier, which starts before it: until then it tells nothing.
 * Thread-safe.
 */
final class RunChangeStream implements ChangeStream {

  private static final Logger LOG = LoggerFactory.getLogger(RunChangeStream.class);

  /** Both, or null before the stream begins. */
  private record Running(CaptureEngine engine, Intake intake) {}

  private volatile Running running;

  /** As it was first told; null before. */
  private Carried known;

  /** The stream has begun. */
  void begins(CaptureEngine engine, Intake intake) {
    running = new Running(engine, intake);
    // From here on, and not only from the first question on, an alteration is known to be over.
    carries();
  }

  @Override
  public Optional<Carried> carries() {
    Running now = running;
    return now == null
        ? Optional.empty()
        : told(() -> Optional.of(now.engine().publication()))
            .filter(publication -> publication.complete())
            .map(this::carried);
  }

  /** What carries the same was altered before it was first seen to. */
  private synchronized Carried carried(PublicationState now) {
    if (known == null || !known.version().equals(now.version())) {
      known = new Carried(now.version(), now.filtered(), now.since());
    }
    return known;
  }

  @Override
  public Optional<Lsn> mark() {
    Running now = running;
    return now == null ? Optional.empty() : told(now.engine()::mark);
  }

  @Override
  public Lsn reached() {
    Running now = running;
    return now == null ? Lsn.NONE : now.intake().reached();
  }

  /** A source that cannot be asked now leaves rows undecided that were so before. */
  private static <T> Optional<T> told(Supplier<Optional<T>> question) {
    try {
      return question.get();
    } catch (CaptureException e) {
      LOG.debug("The source could not be asked about the stream of changes", e);
      return Optional.empty();
    }
  }
}
