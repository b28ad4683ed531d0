/** Boundaries, and the proofs that replay has passed them. */
package io.walproof.verifier.replay;
