/**
 * Range checks (design section 10): what a copy, a snapshot or a cursor claims to have delivered is
 * read on both sides in chunks of the key's order and compared by digests; rows that differ go
 * through the key checks.
 */
package io.walproof.verifier.range;
