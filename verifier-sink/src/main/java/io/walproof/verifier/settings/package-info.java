/**
 * The verifier's settings: one table of what there is, used by the command and by the connector.
 */
package io.walproof.verifier.settings;
