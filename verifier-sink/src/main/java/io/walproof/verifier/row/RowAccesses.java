package io.walproof.verifier.row;

import io.walproof.contract.Time;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Side;

/** Makes row accesses. */
public final class RowAccesses {

  /** The version of the row equality rules that hashes are made by. */
  public static final int RULES_VERSION = ValueRule.VERSION;

  private RowAccesses() {}

  /** Reads by ranges; the pools may be shared. */
  public static RangeAccess createRanges(
      Database source, Database target, RowSettings settings, Time time) {
    return new JdbcRangeAccess(
        new Transactions(source, time), new Transactions(target, time), settings);
  }

  /** Reads what statements that repair rows are made of; the pools may be shared. */
  public static RepairRows createRepairs(
      Database source, Database target, RowSettings settings, Time time) {
    return new RepairRows(new Transactions(source, time), new Transactions(target, time), settings);
  }

  /** Why a key is incomplete whose side could not be asked. */
  public static IncompleteReason reason(Side side, Outcome.Cause cause) {
    return JdbcRowAccess.reason(side, cause);
  }

  /** For one worker thread; the pools may be shared, and closing the access leaves them open. */
  public static RowAccess create(
      Database source, Database target, RowSettings settings, Time time) {
    return new JdbcRowAccess(
        new Transactions(source, time), new Transactions(target, time), settings);
  }
}
