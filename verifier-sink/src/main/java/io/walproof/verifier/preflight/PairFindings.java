package io.walproof.verifier.preflight;

import io.walproof.contract.SqlIdentifier;
import io.walproof.contract.Time;
import io.walproof.contract.finding.Check;
import io.walproof.contract.finding.Finding;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.Session;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How two servers fit together, and what lies between them and us. Belongs to one thread. */
public final class PairFindings {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration SKEW = Duration.ofSeconds(1);

  private final Time time;
  private final Cancellation never = new Cancellation();
  private Deadline within;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * Findings of one look.
   *
   * @param time to hold the servers' clocks against
   */
  public PairFindings(Time time) {
    this.time = time;
  }

  /**
   * Looks at both servers. What cannot be found out is a finding too.
   *
   * @param within no question is waited for longer
   */
  public List<Finding> of(Database source, Database target, Deadline within) {
    this.within = within;
    Optional<ServerFacts> here = facts(source, Check.SOURCE_CONNECTION);
    Optional<ServerFacts> there = facts(target, Check.TARGET_CONNECTION);
    here.ifPresent(this::synchronous);
    if (here.isPresent() && there.isPresent()) {
      encodings(here.get().encoding(), there.get().encoding());
      collations(here.get().collation(), there.get().collation());
    }
    pooler(source);
    pooler(target);
    return findings;
  }

  private Optional<ServerFacts> facts(Database database, Check check) {
    Instant before = time.now();
    Outcome<ServerFacts> outcome = ask(database, ServerFacts::read);
    if (outcome instanceof Outcome.Failed<ServerFacts> failed) {
      findings.add(Finding.failure(check, failed.detail()));
      return Optional.empty();
    }
    ServerFacts facts = ((Outcome.Done<ServerFacts>) outcome).value();
    clock(database.settings().side(), before, facts.clock(), time.now());
    return Optional.of(facts);
  }

  private <T> Outcome<T> ask(Database database, Transactions.Work<T> question) {
    return new Transactions(database, time)
        .run(TransactionKind.ROWS, Deadline.in(time, LIMIT).earlierOf(within), never, question);
  }

  private void clock(Side side, Instant before, Instant theirs, Instant after) {
    Duration ahead = Duration.between(after, theirs);
    Duration behind = Duration.between(theirs, before);
    Duration skew = ahead.compareTo(behind) > 0 ? ahead : behind;
    String server = "the " + side.text() + "'s clock ";
    if (skew.compareTo(SKEW) > 0) {
      findings.add(
          Finding.warning(
              Check.CLOCKS,
              server
                  + "differs from this machine's by at least "
                  + skew.toMillis()
                  + " ms: times in records cannot be compared. Synchronise the clocks (NTP)"));
    } else {
      findings.add(Finding.ok(Check.CLOCKS, server + "agrees with this machine's"));
    }
  }

  private void synchronous(ServerFacts facts) {
    if (facts.synchronous() && !facts.readsActivity()) {
      findings.add(
          Finding.warning(
              Check.SYNCHRONOUS,
              "commits on the source wait for synchronous standbys, and its role may not see which:"
                  + " any open transaction of others may be one, and keys that it might belie end as"
                  + " incomplete. Run GRANT pg_read_all_stats TO "
                  + SqlIdentifier.quoted(facts.role())
                  + " on the source"));
    } else {
      findings.add(
          Finding.ok(
              Check.SYNCHRONOUS,
              facts.synchronous()
                  ? "the source's commits wait for standbys, and the role sees which"
                  : "no commit on the source waits for a standby"));
    }
  }

  private void encodings(String here, String there) {
    if (here.equals("SQL_ASCII") || there.equals("SQL_ASCII")) {
      findings.add(
          Finding.warning(
              Check.ENCODING,
              "the source is "
                  + here
                  + ", the target "
                  + there
                  + ": SQL_ASCII stores bytes of unknown meaning; rows that are read and are no UTF-8"
                  + " end as incomplete, and on the source they end the stream. Move the database to UTF8: CREATE DATABASE ... ENCODING 'UTF8'"
                  + " TEMPLATE template0"));
    } else if (!there.equals("UTF8") && !there.equals(here)) {
      findings.add(
          Finding.warning(
              Check.ENCODING,
              "the source is "
                  + here
                  + ", the target "
                  + there
                  + ", which cannot hold every character of it. Create the target with CREATE DATABASE"
                  + " ... ENCODING 'UTF8' TEMPLATE template0"));
    } else {
      findings.add(Finding.ok(Check.ENCODING, "the source is " + here + ", the target " + there));
    }
  }

  /** No verdict depends on the order; only how fast ranges are read. */
  private void collations(String here, String there) {
    findings.add(
        here.equals(there)
            ? Finding.ok(Check.COLLATION, "both sides order texts by " + here)
            : Finding.warning(
                Check.COLLATION,
                "the source orders texts by "
                    + here
                    + ", the target by "
                    + there
                    + ": range checks of tables whose key is a text look up each row by its key, which"
                    + " takes longer and is as exact. To avoid it create the target with the source's"
                    + " LOCALE, or give the key columns COLLATE \"C\" on both sides"));
  }

  /** A pooler hands out server processes; what the connection was greeted with is another. */
  private void pooler(Database database) {
    Side side = database.settings().side();
    Outcome<Boolean> direct = ask(database, Session::isDirect);
    if (direct instanceof Outcome.Failed<Boolean> failed) {
      findings.add(
          Finding.warning(
              Check.POOLER,
              "whether a pooler lies before the "
                  + side.text()
                  + " could not be found out: "
                  + failed.detail()));
    } else if (((Outcome.Done<Boolean>) direct).value()) {
      findings.add(Finding.ok(Check.POOLER, "the " + side.text() + " is reached directly"));
    } else {
      findings.add(
          Finding.warning(
              Check.POOLER,
              "the "
                  + side.text()
                  + "'s rows are read through a connection pooler. That works while one server is"
                  + " behind it, in session or transaction mode; spread over several servers it may"
                  + " accuse rows that another one has. Connect to the server itself: "
                  + database.settings().urlSetting()));
    }
  }
}
