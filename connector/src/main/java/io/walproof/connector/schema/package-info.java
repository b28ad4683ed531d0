/** The schema history, format 1: which shapes of each table were delivered. */
package io.walproof.connector.schema;
