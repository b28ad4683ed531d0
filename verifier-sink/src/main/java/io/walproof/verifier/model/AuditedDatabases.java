package io.walproof.verifier.model;

/**
 * The databases that an audit is about.
 *
 * @param source where source rows are read
 * @param target where target rows are read
 */
public record AuditedDatabases(Identity source, Identity target) {

  /**
   * One of them, however it is reached.
   *
   * @param systemIdentifier the cluster's, which a physical standby shares
   * @param database its name
   */
  public record Identity(String systemIdentifier, String database) {}
}
