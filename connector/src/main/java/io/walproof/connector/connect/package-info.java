/** The capture as a Kafka Connect source: settings, records, offsets, and the engine's life. */
package io.walproof.connector.connect;
