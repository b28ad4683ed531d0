/** Where a restart resumes, and where that is kept. */
package io.walproof.connector.offset;
