package io.walproof.verifier.versions;

import io.walproof.contract.Lsn;
import io.walproof.contract.TableId;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The stream of changes that feeds the verifier. Thread-safe; its methods never throw. */
public interface ChangeStream {

  /**
   * What the stream carries now.
   *
   * @return empty if that cannot be told
   */
  Optional<Carried> carries();

  /**
   * Writes a mark to the source's WAL.
   *
   * @return the place: once the stream has reached it, it has shown everything that was committed
   *     before the call; empty if none could be written
   */
  Optional<Lsn> mark();

  /** How far the stream has come: everything that it showed up to there was handed over. */
  Lsn reached();

  /**
   * What a stream carries.
   *
   * @param version another one whenever that was altered, also if the change was taken back
   * @param filtered tables of which it carries only some rows
   * @param since the 64-bit id of the first transaction of which every change is carried so; what
   *     one wrote that began before the last alteration may be carried as before
   */
  record Carried(String version, Set<TableId> filtered, long since) {
    /** Copies. */
    public Carried {
      Objects.requireNonNull(version, "version");
      filtered = Set.copyOf(filtered);
    }
  }
}
