package io.walproof.standalone.settings;

import java.time.Duration;

/**
 * The range checks' settings; {@link SettingsTable} says what each means.
 *
 * @param chunkRows {@code verify.range.chunk.rows}
 * @param chunkBytes {@code verify.range.chunk.bytes}
 * @param digest {@code verify.range.digest}
 * @param ledgerAge {@code verify.range.resume.max.age.ms}
 * @param namedKeys {@code verify.range.keys.max}
 * @param dutyCycle {@code verify.duty.cycle}
 * @param exact {@code verify.range.exact}
 */
public record RangeSettings(
    int chunkRows,
    int chunkBytes,
    String digest,
    Duration ledgerAge,
    int namedKeys,
    double dutyCycle,
    boolean exact) {}
