/** Statements that an operator may review and run to repair the target; never run here. */
package io.walproof.standalone.repair;
