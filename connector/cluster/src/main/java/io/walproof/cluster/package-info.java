/**
 * A Kafka broker and Connect workers on 127.0.0.1, in this JVM or as child processes, for the tests
 * and the benches. Everything takes free ports, keeps its files in a temporary folder, and ends
 * with the JVM that started it, however that ends.
 */
package io.walproof.cluster;
