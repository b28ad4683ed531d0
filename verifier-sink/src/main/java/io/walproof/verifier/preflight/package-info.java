/** What would keep verdicts from being reached, found before the first key comes. */
package io.walproof.verifier.preflight;
