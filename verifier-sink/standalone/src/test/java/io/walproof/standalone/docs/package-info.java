/** The documents: which of them are made from the code, and what ties the others to it. */
package io.walproof.standalone.docs;
