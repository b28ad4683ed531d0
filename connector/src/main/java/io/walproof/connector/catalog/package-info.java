/** What the catalog says of the tables and a RELATION message cannot: read, compared, kept. */
package io.walproof.connector.catalog;
