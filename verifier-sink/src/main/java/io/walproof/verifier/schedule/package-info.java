/**
 * Range checks that nobody asks for one by one: why tables are checked (a start, a schedule,
 * drift), which claims that makes, in which order they run, and what came of them.
 */
package io.walproof.verifier.schedule;
