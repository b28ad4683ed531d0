package io.walproof.connector.catalog;

/** The catalog's last reading could not be read or kept. The message names the place. */
public final class CatalogStoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With a cause. */
  public CatalogStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
