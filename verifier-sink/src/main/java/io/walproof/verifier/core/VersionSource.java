package io.walproof.verifier.core;

import io.walproof.contract.Lsn;
import io.walproof.verifier.versions.ChangeStream;
import io.walproof.verifier.versions.VersionBook;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Where versions of rows that keep changing come from.
 *
 * @param book what is kept of them
 * @param stream the stream that brings them
 * @param timeout {@code verify.versions.timeout.ms}: how long a recheck round waits for the stream
 */
public record VersionSource(VersionBook book, ChangeStream stream, Duration timeout) {

  /** All are required. */
  public VersionSource {
    Objects.requireNonNull(book, "book");
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(timeout, "timeout");
  }

  /** Keeps none. */
  public static VersionSource none() {
    return new VersionSource(new VersionBook(0), new Nothing(), Duration.ZERO);
  }

  private static final class Nothing implements ChangeStream {
    @Override
    public Optional<Carried> carries() {
      return Optional.empty();
    }

    @Override
    public Optional<Lsn> mark() {
      return Optional.empty();
    }

    @Override
    public Lsn reached() {
      return Lsn.NONE;
    }
  }
}
