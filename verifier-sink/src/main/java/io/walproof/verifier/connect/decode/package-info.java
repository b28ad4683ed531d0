/**
 * Turns records of the topics into changed keys: Walproof's own, and those of an ordinary Debezium
 * PostgreSQL connector. What cannot be turned into a key with certainty is named, never guessed.
 */
package io.walproof.verifier.connect.decode;
