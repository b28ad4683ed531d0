/**
 * The {@code walproof} command. Results go to standard output, everything else to standard error.
 */
package io.walproof.standalone;
