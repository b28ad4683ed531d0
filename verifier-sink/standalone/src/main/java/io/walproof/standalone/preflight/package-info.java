/** What could keep a run from starting, or from proving anything, told before there is one. */
package io.walproof.standalone.preflight;
