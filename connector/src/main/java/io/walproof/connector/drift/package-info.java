/** What differs between two shapes, and what that is called. */
package io.walproof.connector.drift;
