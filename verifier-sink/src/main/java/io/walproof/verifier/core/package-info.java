/**
 * The verifier itself: two workers, one for first reads and one for rechecks, and the counts that
 * always add up. No adapter, no configuration parsing, no JDBC.
 */
package io.walproof.verifier.core;
