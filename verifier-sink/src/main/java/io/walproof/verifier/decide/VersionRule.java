package io.walproof.verifier.decide;

import io.walproof.contract.Lsn;
import io.walproof.verifier.model.MatchedVersion;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowSnapshot;
import io.walproof.verifier.model.RowSnapshot.Present;
import io.walproof.verifier.model.RowVersion;
import io.walproof.verifier.model.RowVersion.Change;
import io.walproof.verifier.model.RowVersion.Known;
import io.walproof.verifier.model.RowVersion.Lost;
import io.walproof.verifier.model.RowVersion.Untold;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import io.walproof.verifier.model.VersionGap;
import java.util.List;
import java.util.Optional;

/**
 * Judges a target row by the versions of the source row: config/architecture.md, "Rows that keep
 * changing", states the rule and why it accuses no correct applier.
 */
final class VersionRule {

  /** Where no version in the list is what S1 saw or older: all of them are newer. */
  private static final int BEFORE_ALL = -1;

  /** Where the list contradicts S1. */
  private static final int NOWHERE = -2;

  private final List<RowVersion> versions;
  private final Versions.Streamed streamed;
  private final Optional<RowHash> base;

  /** The first place that may be what S1 saw. */
  private final int floor;

  /** The last place that may be what S1 saw. */
  private final int ceiling;

  VersionRule(Versions.Streamed streamed, RowSnapshot s1) {
    this.streamed = streamed;
    this.versions = streamed.versions();
    this.base = contents(s1);
    int shown = shown();
    int written = shown == NOWHERE ? NOWHERE : writtenBy(s1, shown);
    boolean exact = written != NOWHERE || isOfSnapshot(s1, shown);
    this.floor = written != NOWHERE ? written : floor(shown, exact);
    this.ceiling = exact || floor == NOWHERE ? floor : lastLike(floor);
  }

  Finding find(RowSnapshot s0, RowSnapshot target, RowSnapshot s2) {
    if (floor == NOWHERE) {
      // What S1 saw may be still to come.
      return new Finding.Unknown(streamed.open().orElse(VersionGap.UNEXPLAINED));
    }
    Optional<RowHash> wanted = contents(target);
    for (int i = versions.size() - 1; i > floor; i--) {
      if (is(i, wanted) && isCommitted(i)) {
        // S1 may have seen a later one, which the target must not fall back behind.
        return i > ceiling || base.equals(wanted)
            ? equal(i)
            : new Finding.Unknown(VersionGap.UNEXPLAINED);
      }
    }
    if (base.equals(wanted)) {
      return equal(floor);
    }
    return unknown(wanted, s2)
        .<Finding>map(Finding.Unknown::new)
        .orElseGet(() -> new Finding.Wrong(kind(s0, wanted)));
  }

  private Finding equal(int place) {
    Optional<Lsn> lsn =
        place != BEFORE_ALL && versions.get(place) instanceof Change change
            ? Optional.of(change.commit())
            : Optional.empty();
    return new Finding.Equal(new MatchedVersion(lsn));
  }

  /** Why nobody may be accused. */
  private Optional<VersionGap> unknown(Optional<RowHash> wanted, RowSnapshot s2) {
    boolean explained = base.equals(contents(s2));
    for (int i = floor + 1; i < versions.size(); i++) {
      if (is(i, wanted) && isPassedThrough(i)) {
        return Optional.of(VersionGap.UNCOMMITTED);
      }
      if (versions.get(i) instanceof Lost lost) {
        return Optional.of(lost.reason());
      }
      if (versions.get(i) instanceof Change change && change.state() instanceof Untold untold) {
        return Optional.of(untold.reason());
      }
      explained |= is(i, contents(s2));
    }
    if (streamed.open().isPresent()) {
      return streamed.open();
    }
    return explained ? Optional.empty() : Optional.of(VersionGap.UNEXPLAINED);
  }

  private Kind kind(RowSnapshot s0, Optional<RowHash> wanted) {
    boolean older = contents(s0).equals(wanted);
    for (int i = 0; i <= floor; i++) {
      older |= is(i, wanted);
    }
    if (older) {
      return Kind.STALE;
    }
    return wanted.isPresent() ? Kind.DIFFERENT : Kind.MISSING;
  }

  /** The last version that the snapshot shows, which was noted a moment before S1. */
  private int shown() {
    int shown = BEFORE_ALL;
    boolean hidden = false;
    for (int i = 0; i < versions.size(); i++) {
      if (versions.get(i) instanceof Change change) {
        boolean seen = streamed.seenByS1().shows(change.transactionId());
        if (seen && hidden) {
          return NOWHERE;
        }
        hidden |= !seen;
        shown = seen ? i : shown;
      }
    }
    return shown;
  }

  /** The version behind the noted snapshot that S1 certainly saw, by who wrote the row. */
  private int writtenBy(RowSnapshot s1, int shown) {
    for (int i = versions.size() - 1; i > shown; i--) {
      if (isLike(i) && s1 instanceof Present present && isBy(i, present.xmin())) {
        return i;
      }
    }
    return NOWHERE;
  }

  /** Whether S1 certainly saw what the noted snapshot shows, and nothing newer. */
  private boolean isOfSnapshot(RowSnapshot s1, int shown) {
    return s1 instanceof Present present
        && (streamed.seenByS1().finished(present.xmin())
            || (shown >= 0 && isBy(shown, present.xmin())));
  }

  private int floor(int shown, boolean exact) {
    if (shown < 0 || is(shown, base) || isUntold(shown)) {
      return shown;
    }
    // A row that a subtransaction wrote has that one's xmin, and an absence has none.
    for (int i = shown + 1; !exact && i < versions.size(); i++) {
      if (isUnknown(i)) {
        // S1 may have seen just that.
        return NOWHERE;
      }
      if (isLike(i)) {
        return i;
      }
    }
    return NOWHERE;
  }

  private int lastLike(int first) {
    int last = first;
    for (int i = first + 1; i < versions.size(); i++) {
      last = isUnknown(i) || isLike(i) ? i : last;
    }
    return last;
  }

  /** Whether a read that saw this version would read what S1 did. */
  private boolean isLike(int place) {
    return is(place, base) && !isPassedThrough(place);
  }

  private boolean isBy(int place, long transaction) {
    return versions.get(place) instanceof Change change && change.transactionId() == transaction;
  }

  private boolean isUnknown(int place) {
    return versions.get(place) instanceof Lost || isUntold(place);
  }

  private boolean is(int place, Optional<RowHash> contents) {
    return versions.get(place) instanceof Change change
        && change.state() instanceof Known known
        && known.hash().equals(contents);
  }

  private boolean isUntold(int place) {
    return versions.get(place) instanceof Change change && change.state() instanceof Untold;
  }

  /** Whether it certainly is its transaction's last change of the row. */
  private boolean isCommitted(int place) {
    return place + 1 == versions.size()
        ? streamed.open().isEmpty()
        : versions.get(place + 1) instanceof Change && !isPassedThrough(place);
  }

  /** Whether its transaction certainly changed the row again. */
  private boolean isPassedThrough(int place) {
    for (int i = place + 1; i < versions.size(); i++) {
      if (versions.get(i) instanceof Change next) {
        return next.commit().equals(((Change) versions.get(place)).commit());
      }
    }
    return false;
  }

  private static Optional<RowHash> contents(RowSnapshot row) {
    return row instanceof Present present ? Optional.of(present.hash()) : Optional.empty();
  }
}
