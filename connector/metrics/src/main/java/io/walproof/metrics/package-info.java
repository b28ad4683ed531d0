/**
 * Gauges of the plugins: in Connect's own plugin metrics where the worker has them (since 4.1),
 * else as MBeans of the domain {@code io.walproof}. Which of the two is decided at run time.
 */
package io.walproof.metrics;
