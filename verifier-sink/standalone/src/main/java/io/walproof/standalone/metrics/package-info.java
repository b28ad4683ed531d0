/** The gauges of a process without Kafka, as Prometheus reads them. */
package io.walproof.standalone.metrics;
