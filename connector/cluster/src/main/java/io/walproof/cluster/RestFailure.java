package io.walproof.cluster;

/** A worker refused a request. */
public final class RestFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;

  RestFailure(String request, int status, String body) {
    super(request + " answered " + status + ": " + body);
    this.status = status;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }
}
