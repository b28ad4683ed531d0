/**
 * The audit file: append-only, synced, chained; and reading it back. And the state directory that
 * holds it.
 *
 * <p>Record format 1, one JSON object a line. All records: {@code v}, {@code seq} (from 1, without
 * gaps, over all runs), {@code prev} (SHA-256 in hex of the record before, its line without the
 * newline; 64 zeros in the first), {@code ts} (UTC, milliseconds), {@code run_id}, {@code type}.
 * Then, by type, with facts that are not there left out:
 *
 * <ul>
 *   <li>{@code run_start}: {@code rules_version}, {@code confirmation}, {@code ignored_apps},
 *       {@code scope} (settings that limit what is judged, by key), {@code source} and {@code
 *       target} (the databases that are compared, each {@code system_identifier} and {@code
 *       database}; older builds leave them out).
 *   <li>{@code observation}: {@code stratum}, {@code table}, {@code key}, {@code outcome} (always
 *       {@code deferred}), {@code columns}, {@code original_source}, {@code original_target},
 *       {@code shape}.
 *   <li>{@code decision}: {@code stratum}, {@code table}, {@code key}, {@code outcome}, then {@code
 *       kind} of {@code unresolved}, {@code reason} of {@code incomplete}, {@code gap} of {@code
 *       advanced}, {@code matched_version} of {@code converged} or {@code app} of {@code
 *       ignored_app}; {@code columns}, {@code source_changed}, {@code original_source}, {@code
 *       original_target}, {@code source}, {@code target}, {@code source_after}, {@code boundary},
 *       {@code shape}, {@code detail}.
 *   <li>{@code drift}: {@code table}, {@code kind}, {@code occurrence}, {@code lsn}, {@code from}
 *       (of a gap, where it begins; the same kind, table and beginning are the same gap), {@code
 *       transaction}, {@code previous_shape}, {@code shape}, {@code changes} (each {@code column},
 *       {@code what}, {@code before}, {@code after}, {@code narrowing}), {@code narrowing}, {@code
 *       policy}, {@code action}, {@code detail}.
 *   <li>{@code range_start}: {@code table}, {@code origin}, {@code from} and {@code to} (keys, each
 *       with {@code from_inclusive}, {@code to_inclusive}), {@code pairing}, {@code
 *       digest_version}, {@code resumed}, {@code narrowed} (columns or rows are left out). Without
 *       a {@code table}: all tables are looked at, which had been given up before; {@code origin}
 *       says why, and {@code tables} how many are checked, each with records of its own.
 *   <li>{@code range_end}: {@code table}, {@code outcome}, {@code strength}, {@code rows}, {@code
 *       chunks_equal}, {@code chunks_differing}, {@code keys} (counts by outcome), {@code
 *       target_only}, {@code target_only_keys}, {@code covered_to}, {@code detail}. Without a
 *       {@code table}: the checks of all tables were given up before any was looked at.
 *   <li>{@code summary}: {@code coverage}, {@code tables} (each {@code table}, {@code coverage},
 *       and after a gap in this run {@code verdicts_after}: changes up to there may be missing;
 *       where changed keys were read also {@code not_compared}, {@code excluded}, {@code
 *       not_published}: columns that no verdict covers). A coverage is {@code observed}, {@code
 *       checked}, {@code coalesced}, {@code skipped}, {@code pending}, {@code outcomes}.
 *   <li>{@code run_end}: {@code reason}, {@code exit_status}, {@code coverage}.
 *   <li>{@code torn_line}: {@code bytes} and {@code sha256} of what lies between the record before
 *       and this one, which a crash or a full disk cut off. It stays in the file; {@code prev} is
 *       the record before it. Opening for writing marks whatever lies behind the last record, also
 *       when it ends in a newline (the marking itself may have been cut off), and refuses a file
 *       that is damaged anywhere else.
 * </ul>
 *
 * <p>A file that has {@code audit.rotate.bytes} is closed ahead of the next batch: it is renamed to
 * its name and the number of its first record, and a file with the old name goes on with the next
 * number and the same chain. Readers begin with the file of record 1 and find each next file by the
 * number that is due, so that what is missing between two files is damage like any other.
 *
 * <p>A snapshot is {@code present}, and if so {@code hash} and {@code version} (xmin).
 */
package io.walproof.verifier.audit;
