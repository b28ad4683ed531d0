package io.walproof.verifier.model;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

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

  /**
   * Equal at the recheck.
   *
   * @param matchedVersion where the source row kept changing: the version that the target's equals
   */
  record Converged(Optional<MatchedVersion> matchedVersion) implements Verdict {
    /** Empty where the source row stood still, not null. */
    public Converged {
      Objects.requireNonNull(matchedVersion, "matchedVersion");
    }

    /** To what was read on the source. */
    public Converged() {
      this(Optional.empty());
    }

    @Override
    public String outcome() {
      return "converged";
    }
  }

  /**
   * Not equal, but the target moved since the first read: proves movement, not correctness.
   *
   * @param gap why the row's versions say no more; empty where none are kept at all
   */
  record Advanced(Optional<VersionGap> gap) implements Verdict {
    /** The gap may be empty, not null. */
    public Advanced {
      Objects.requireNonNull(gap, "gap");
    }

    /** Where no versions are kept. */
    public Advanced() {
      this(Optional.empty());
    }

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
      TARGET_STALLED,
      /** The target holds what the source held before, and should have more. */
      STALE;

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
