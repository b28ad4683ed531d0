/**
 * What both plugins agree on: identifiers, encodings and the records that cross from the connector
 * to the verifier. JDK only; nothing here does I/O. Connect loads the two plugins with separate
 * class loaders, so these types never cross as objects there, only as the bytes they define.
 */
package io.walproof.contract;
