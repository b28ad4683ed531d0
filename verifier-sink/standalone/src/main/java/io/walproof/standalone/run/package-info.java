/** One run: the engine feeds the verifier, and the offset follows what is decided. */
package io.walproof.standalone.run;
