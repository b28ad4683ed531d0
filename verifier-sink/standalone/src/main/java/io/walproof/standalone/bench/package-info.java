/** Benches against bounds: what Walproof costs, measured beside the bare work on real servers. */
package io.walproof.standalone.bench;
