/**
 * Rows on both sides: catalogs, plans, key lookups, canonical values and hashes (row equality
 * rules, version 1).
 */
package io.walproof.verifier.row;
