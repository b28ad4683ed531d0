/** Mismatches that wait for their one recheck. */
package io.walproof.verifier.defer;
