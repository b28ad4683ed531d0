package io.walproof.verifier.defer;

import io.walproof.verifier.ingest.KeyEntry;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.RowSnapshot;

/**
 * A mismatch whose observation is durable.
 *
 * @param entry the key
 * @param source the first source read (S0)
 * @param target the first target read (T0)
 * @param planFingerprint the plan that both were read with
 * @param held the commits that waited for a synchronous standby after the target's read: the source
 *     may not have shown what the target had from them
 */
public record Deferred(
    KeyEntry entry,
    RowSnapshot source,
    RowSnapshot target,
    String planFingerprint,
    HeldCommits held) {}
