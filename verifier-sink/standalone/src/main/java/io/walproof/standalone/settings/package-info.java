/** The command's settings: one properties file, one table of what may stand in it. */
package io.walproof.standalone.settings;
