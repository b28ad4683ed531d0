/** Versions of pending keys' rows, as the stream of changes shows them. */
package io.walproof.verifier.versions;
