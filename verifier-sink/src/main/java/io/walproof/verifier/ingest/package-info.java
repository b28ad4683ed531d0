/**
 * Changed keys on their way to the first read: coalescing, settling, and what is decided so far.
 */
package io.walproof.verifier.ingest;
