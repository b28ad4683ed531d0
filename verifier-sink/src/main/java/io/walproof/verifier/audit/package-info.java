/** The audit file: append-only, synced, chained; and reading it back. */
package io.walproof.verifier.audit;
