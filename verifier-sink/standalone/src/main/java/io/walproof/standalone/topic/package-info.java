/** Reads the drift and verify topics of a Connect cluster, outside any consumer group. */
package io.walproof.standalone.topic;
