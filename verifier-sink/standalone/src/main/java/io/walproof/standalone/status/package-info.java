/**
 * The state of verification, reduced from audit records, and a server that shows it. The reducer is
 * the same for a file and a topic; figures are {@link io.walproof.verifier.audit.RunTally}'s, as
 * everywhere else.
 */
package io.walproof.standalone.status;
