/**
 * Connections to the two databases: settings, pools, short pinned transactions, and what a failure
 * means. The only place that builds external clients; everything above takes a {@link
 * io.walproof.verifier.database.Database}, so tests can give another one.
 */
package io.walproof.verifier.database;
