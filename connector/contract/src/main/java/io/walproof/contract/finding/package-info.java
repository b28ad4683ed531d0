/** What a look before a start finds, for {@code preflight} and the validation in Connect. */
package io.walproof.contract.finding;
