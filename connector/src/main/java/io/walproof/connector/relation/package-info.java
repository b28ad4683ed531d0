/**
 * What PostgreSQL says on the wire: RELATION, TYPE and change messages, read beside Debezium on its
 * streaming thread, and bound to the records that Debezium makes of them.
 */
package io.walproof.connector.relation;
