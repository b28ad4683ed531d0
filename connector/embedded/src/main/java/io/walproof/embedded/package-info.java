/**
 * Real PostgreSQL servers as child processes on 127.0.0.1, from binaries on the class path, for the
 * demo, the benches and the tests. No Docker, no installation, no root needed.
 */
package io.walproof.embedded;
