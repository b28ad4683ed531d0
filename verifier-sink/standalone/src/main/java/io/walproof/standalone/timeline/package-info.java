/** Drift events, read from an audit file or a topic, as a timeline for people. */
package io.walproof.standalone.timeline;
