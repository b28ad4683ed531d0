/**
 * {@code walproof demo}: two embedded servers joined by logical replication, a workload, and faults
 * that are injected one after another and must be found.
 */
package io.walproof.standalone.demo;
