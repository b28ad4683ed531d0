package io.walproof.verifier.database;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What every transaction sets for itself, whatever role, database, server or pooler say, so that
 * the same value has the same text on both sides and names resolve to the same things.
 */
final class PinnedSettings {

  private static final Map<String, String> SETTINGS = new LinkedHashMap<>();

  static {
    // First, so that nothing after it resolves to a shadow.
    SETTINGS.put("search_path", "pg_catalog, pg_temp");
    SETTINGS.put("TimeZone", "UTC");
    SETTINGS.put("DateStyle", "ISO, YMD");
    SETTINGS.put("IntervalStyle", "postgres");
    SETTINGS.put("extra_float_digits", "1");
    SETTINGS.put("bytea_output", "hex");
    // A backslash in a quoted literal is a backslash.
    SETTINGS.put("standard_conforming_strings", "on");
    SETTINGS.put("lc_monetary", "C");
    SETTINGS.put("xmloption", "content");
    // NULL in an array key is NULL, and names are quoted only where they must be.
    SETTINGS.put("array_nulls", "on");
    SETTINGS.put("quote_all_identifiers", "off");
    // Hidden rows become an error.
    SETTINGS.put("row_security", "off");
    // Compiling a lookup costs more than running it, and reads should not spread over the server.
    SETTINGS.put("jit", "off");
    SETTINGS.put("max_parallel_workers_per_gather", "0");
    // The target may hold what is committed and not yet visible here, because it waits for a
    // synchronous standby. A boundary that waits too has only visible commits before it.
    SETTINGS.put("synchronous_commit", "on");
  }

  private static final String CALLS =
      SETTINGS.entrySet().stream()
          .map(e -> "pg_catalog.set_config('" + e.getKey() + "', '" + e.getValue() + "', true)")
          .collect(Collectors.joining(", "));

  private PinnedSettings() {}

  /** Opens the transaction: isolation, access mode and settings, in one round trip. */
  static String opening(TransactionKind kind, long statementTimeoutMillis) {
    return "SET TRANSACTION ISOLATION LEVEL "
        + kind.sql()
        + "; SELECT "
        + CALLS
        + ", pg_catalog.set_config('statement_timeout', '"
        + statementTimeoutMillis
        + "', true)";
  }
}
