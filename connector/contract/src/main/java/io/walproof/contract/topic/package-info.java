/**
 * The records on the topics, as plain maps: what the two plugins agree on. A plugin turns the maps
 * into its converters' data and back. Fields are only ever added; another meaning gets another
 * version.
 */
package io.walproof.contract.topic;
