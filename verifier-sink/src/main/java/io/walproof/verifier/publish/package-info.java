/**
 * The verify topic: the same records as in the audit file, by a producer of our own, acknowledged
 * before anything depends on them.
 */
package io.walproof.verifier.publish;
