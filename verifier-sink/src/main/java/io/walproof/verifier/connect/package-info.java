/** The Kafka Connect sink: translates Connect's calls to a session that verifies. */
package io.walproof.verifier.connect;
