/** Puts a verifier together from settings: pools, checks, accesses, confirmation, workers. */
package io.walproof.verifier.assembly;
