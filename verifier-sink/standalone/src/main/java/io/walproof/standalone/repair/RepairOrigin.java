package io.walproof.standalone.repair;

import io.walproof.standalone.repair.ConfirmedFailures.Failure;
import io.walproof.verifier.audit.AuditException;
import io.walproof.verifier.model.AuditedDatabases;
import java.util.List;
import java.util.Optional;

/** Ties failures to the databases that they are of: elsewhere a missing row is no failure. Pure. */
final class RepairOrigin {

  private RepairOrigin() {}

  /**
   * Refuses failures of other databases.
   *
   * @param configured the databases that were reached just now
   * @param acceptUnknown whether failures of runs count that do not say of which databases they are
   * @throws AuditException if one is of others, or does not say
   */
  static void require(List<Failure> failures, AuditedDatabases configured, boolean acceptUnknown) {
    for (Failure failure : failures) {
      String run = "run " + failure.record().runId() + " of the audit";
      Optional<AuditedDatabases> audited = failure.databases();
      if (audited.isEmpty() && !acceptUnknown) {
        throw new AuditException(
            run
                + " does not say of which databases it is: its start is not in the audit, or was"
                + " written by an older version. If you know that it is of the configured ones"
                + " (source "
                + name(configured.source())
                + ", target "
                + name(configured.target())
                + "), say --accept-unknown-databases; --run names another run.");
      }
      audited.ifPresent(
          of -> {
            require(run, "source", of.source(), configured.source());
            require(run, "target", of.target(), configured.target());
          });
    }
  }

  private static void require(
      String run,
      String side,
      AuditedDatabases.Identity audited,
      AuditedDatabases.Identity configured) {
    if (!audited.equals(configured)) {
      throw new AuditException(
          run
              + " is of the "
              + side
              + " "
              + name(audited)
              + ", and the configuration leads to "
              + name(configured)
              + ": its failures say nothing of that one. Name the right --config and --file, or"
              + " another --run.");
    }
  }

  private static String name(AuditedDatabases.Identity database) {
    return "\"" + database.database() + "\" of system " + database.systemIdentifier();
  }
}
