/** From Debezium's records to changed keys, drift events and positions. */
package io.walproof.connector.emit;
