package io.walproof.verifier.model;

import java.util.Locale;
import java.util.Objects;

/** How a key check ended. */
public sealed interface Verdict {

  /** The word for the record's {@code outcome}. */
  String outcome();

  /** Equal at the first read. */
  record Matched() implements Verdict {
    @Override
    public String outcome() {
      return "matched";
    }
  }

  /** Equal at the recheck. */
  record Converged() implements Verdict {
    @Override
    public String outcome() {
      return "converged";
    }
  }

  /** Not equal, but the target moved since the first read: proves movement, not correctness. */
  record Advanced() implements Verdict {
    @Override
    public String outcome() {
      return "advanced";
    }
  }

  /**
   * A confirmed failure.
   *
   * @param kind which
   */
  record Unresolved(Kind kind) implements Verdict {
    /** The kind is required. */
    public Unresolved {
      Objects.requireNonNull(kind, "kind");
    }

    /** The failure's kind. */
    public enum Kind {
      MISSING,
      DIFFERENT,
      TARGET_STALLED;

      /** Lower case with underscores, for records. */
      public String text() {
        return name().toLowerCase(Locale.ROOT);
      }
    }

    @Override
    public String outcome() {
      return "unresolved";
    }
  }

  /**
   * A mismatch whose source row belongs to an application that the configuration ignores.
   *
   * @param app the application's id
   */
  record IgnoredApp(long app) implements Verdict {
    @Override
    public String outcome() {
      return "ignored_app";
    }
  }

  /**
   * Not judged.
   *
   * @param reason why
   */
  record Incomplete(IncompleteReason reason) implements Verdict {
    /** The reason is required. */
    public Incomplete {
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public String outcome() {
      return "incomplete";
    }
  }
}
