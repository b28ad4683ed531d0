/** The capture's life: settings, preparation of the source, Debezium's engine, and its end. */
package io.walproof.connector.engine;
