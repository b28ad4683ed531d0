/** The decision table for key checks: pure functions, no I/O, no clocks (design, section 8). */
package io.walproof.verifier.decide;
