/** The verifier's values: snapshots, verdicts, records. Pure data, no I/O, no clocks. */
package io.walproof.verifier.model;
