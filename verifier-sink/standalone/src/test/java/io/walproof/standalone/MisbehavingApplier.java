package io.walproof.standalone;

import io.walproof.contract.Time;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.SlotChanges.Change;
import io.walproof.standalone.SlotChanges.Kind;
import io.walproof.standalone.SlotChanges.Relation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * An applier in commit order, on a thread of its own, that does wrong by single tables on command.
 * Whatever it does to a row, its position moves on.
 */
final class MisbehavingApplier implements AutoCloseable {

  /** What it does wrong. */
  enum Fault {
    LOSES_INSERTS,
    LOSES_UPDATES,
    /** And the insert that comes for the row that is still there. */
    LOSES_DELETES,
    /** An update hits the row with the next number. */
    WRITES_THE_WRONG_ROW,
    /** Each update but the first writes an earlier version of the row. */
    WRITES_A_STALE_VERSION,
    /** The next transaction that touches the table, as a whole. */
    SKIPS_A_TRANSACTION,
    /** All transactions that touch the table, until told otherwise. */
    JUMPS_AHEAD,
    SWAPS_COLUMNS,
    TRUNCATES_VALUES,
    /** The first change of each transaction only. */
    APPLIES_PARTIALLY,
    /** Behind the transaction that comes next. */
    TRUNCATES_TOO_LATE
  }

  static final String NAME = "applier";

  private static final String BARRIER = "barrier";
  private static final Duration POLL = Duration.ofMillis(5);
  private static final int REMEMBERED = 10;

  private final ReplicatedPair pair;
  private final SlotChanges changes = new SlotChanges(NAME, NAME);
  private final Map<String, Fault> faults = new ConcurrentHashMap<>();
  private final Map<List<String>, List<List<String>>> versions = new HashMap<>();
  private final Map<String, Change> held = new HashMap<>();
  private final Deque<List<Change>> recent = new ArrayDeque<>();
  private final Thread thread = new Thread(this::work, "misbehaving-applier");
  private final Object working = new Object();
  private final int staleBy;
  private volatile boolean paused;
  private volatile boolean batching;
  private volatile boolean restart;
  private volatile boolean closed;
  private volatile Exception failure;
  private long barrier;

  private MisbehavingApplier(ReplicatedPair pair, int staleBy) {
    this.pair = pair;
    this.staleBy = staleBy;
  }

  /**
   * Starts to apply everything in {@code public}.
   *
   * @param staleBy how many versions an old one is behind, where there are as many
   */
  static MisbehavingApplier start(ReplicatedPair pair, int staleBy) throws SQLException {
    pair.onBoth("CREATE TABLE public." + BARRIER + " (id int PRIMARY KEY, n bigint)");
    pair.onSource(
        "CREATE PUBLICATION " + NAME + " FOR TABLES IN SCHEMA public",
        "SELECT pg_create_logical_replication_slot('" + NAME + "', 'pgoutput')",
        "INSERT INTO public." + BARRIER + " VALUES (1, 0)");
    MisbehavingApplier applier = new MisbehavingApplier(pair, staleBy);
    applier.thread.setDaemon(true);
    applier.thread.start();
    return applier;
  }

  void misbehave(String table, Fault fault) {
    faults.put(table, fault);
  }

  void behave(String table) {
    faults.remove(table);
  }

  /** It applies nothing any more, until told to go on. */
  void pause() throws SQLException {
    awaitApplied();
    synchronized (working) {
      paused = true;
    }
  }

  void resume() {
    paused = false;
  }

  /** From now on as many transactions in one as have come. */
  void batch(boolean on) {
    batching = on;
  }

  /** It forgets the last few transactions and applies them again, as one. */
  void restart() throws SQLException {
    awaitApplied();
    restart = true;
    awaitApplied();
  }

  /** Waits until everything that is committed now went through its hands. */
  void awaitApplied() throws SQLException {
    barrier++;
    pair.onSource("UPDATE public." + BARRIER + " SET n = " + barrier);
    String wanted = Long.toString(barrier);
    Operated.until(
        "the applier to catch up",
        () -> {
          if (failure != null) {
            throw failure;
          }
          return wanted.equals(
              JoinedPair.ask(pair.target(), "SELECT coalesce(max(n), -1) FROM public." + BARRIER));
        });
  }

  private void work() {
    try (Connection source = pair.source().connect(ReplicatedPair.DATABASE);
        Connection target = pair.target().connect(ReplicatedPair.DATABASE);
        Statement once = target.createStatement()) {
      once.execute("SET synchronous_commit = off");
      target.setAutoCommit(false);
      while (!closed) {
        synchronized (working) {
          if (!paused) {
            applyNext(source, target);
          }
        }
        Time.system().sleep(POLL);
      }
    } catch (SQLException | RuntimeException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void applyNext(Connection source, Connection target) throws SQLException {
    if (restart) {
      restart = false;
      for (List<Change> transaction : recent) {
        for (Change change : transaction) {
          write(target, change);
        }
      }
      target.commit();
    }
    boolean together = batching;
    for (List<Change> transaction : changes.take(source)) {
      apply(target, transaction);
      if (!together) {
        target.commit();
      }
    }
    target.commit();
  }

  private void apply(Connection target, List<Change> transaction) throws SQLException {
    if (skips(transaction)) {
      return;
    }
    List<Change> written = new ArrayList<>();
    for (int i = 0; i < transaction.size(); i++) {
      Change change = transaction.get(i);
      Fault fault = faults.get(change.relation().name());
      boolean first = i == 0;
      Change made = fault == null ? change : distorted(change, fault, first);
      if (made != null) {
        write(target, made);
        written.add(made);
      }
      Change late = first ? held.remove(change.relation().name()) : null;
      if (late != null) {
        write(target, late);
      } else if (fault == Fault.TRUNCATES_TOO_LATE && change.kind() == Kind.TRUNCATE) {
        held.put(change.relation().name(), change);
      }
    }
    recent.addLast(written);
    if (recent.size() > REMEMBERED) {
      recent.removeFirst();
    }
  }

  private boolean skips(List<Change> transaction) {
    boolean skips = false;
    for (Change change : transaction) {
      String table = change.relation().name();
      skips |= faults.get(table) == Fault.JUMPS_AHEAD;
      skips |= faults.remove(table, Fault.SKIPS_A_TRANSACTION);
    }
    return skips;
  }

  /** The change as it gets it wrong; null where it loses it. */
  private Change distorted(Change change, Fault fault, boolean first) {
    Kind kind = change.kind();
    return switch (fault) {
      case LOSES_INSERTS -> kind == Kind.INSERT ? null : change;
      case LOSES_UPDATES -> kind == Kind.UPDATE ? null : change;
      case LOSES_DELETES -> kind == Kind.DELETE || kind == Kind.INSERT ? null : change;
      case WRITES_THE_WRONG_ROW -> kind == Kind.UPDATE ? elsewhere(change) : change;
      case WRITES_A_STALE_VERSION -> kind == Kind.UPDATE ? stale(change) : change;
      case SWAPS_COLUMNS -> kind == Kind.UPDATE ? swapped(change) : change;
      case TRUNCATES_VALUES -> kind == Kind.UPDATE ? cutOff(change) : change;
      case APPLIES_PARTIALLY -> first ? change : null;
      case TRUNCATES_TOO_LATE -> kind == Kind.TRUNCATE ? null : change;
      case SKIPS_A_TRANSACTION, JUMPS_AHEAD -> change;
    };
  }

  private static Change elsewhere(Change change) {
    List<String> row = new ArrayList<>(change.row());
    int id = change.relation().columns().indexOf("id");
    row.set(id, Integer.toString(Integer.parseInt(row.get(id)) + 1));
    return change.with(row);
  }

  private Change stale(Change change) {
    List<String> key = new ArrayList<>(List.of(change.relation().name()));
    keyPlaces(change.relation()).forEach(i -> key.add(change.row().get(i)));
    List<List<String>> known = versions.computeIfAbsent(key, k -> new ArrayList<>());
    known.add(change.row());
    return change.with(known.get(Math.max(0, known.size() - 1 - staleBy)));
  }

  private static Change swapped(Change change) {
    List<String> row = new ArrayList<>(change.row());
    Collections.swap(
        row, change.relation().columns().indexOf("a"), change.relation().columns().indexOf("b"));
    return change.with(row);
  }

  private static Change cutOff(Change change) {
    List<String> row = new ArrayList<>(change.row());
    int a = change.relation().columns().indexOf("a");
    row.set(a, row.get(a).substring(0, row.get(a).length() - 1));
    return change.with(row);
  }

  private static List<Integer> keyPlaces(Relation relation) {
    return IntStream.range(0, relation.columns().size())
        .filter(relation.keys()::get)
        .boxed()
        .toList();
  }

  private static void write(Connection target, Change change) throws SQLException {
    Relation relation = change.relation();
    String table = relation.schema() + "." + relation.name();
    List<Integer> keys = keyPlaces(relation);
    List<Integer> sent =
        IntStream.range(0, change.row().size())
            .filter(i -> !isUnchanged(change.row().get(i)))
            .boxed()
            .toList();
    switch (change.kind()) {
      case INSERT ->
          execute(
              target,
              "INSERT INTO "
                  + table
                  + " ("
                  + list(relation, sent, "%s", ", ")
                  + ") VALUES ("
                  + list(relation, sent, "?", ", ")
                  + ") ON CONFLICT ("
                  + list(relation, keys, "%s", ", ")
                  + ") DO UPDATE SET "
                  + list(relation, sent, "%1$s = excluded.%1$s", ", "),
              change,
              sent,
              List.of());
      case UPDATE ->
          execute(
              target,
              "UPDATE "
                  + table
                  + " SET "
                  + list(relation, sent, "%s = ?", ", ")
                  + " WHERE "
                  + list(relation, keys, "%s = ?", " AND "),
              change,
              sent,
              keys);
      case DELETE ->
          execute(
              target,
              "DELETE FROM " + table + " WHERE " + list(relation, keys, "%s = ?", " AND "),
              change,
              List.of(),
              keys);
      case TRUNCATE -> execute(target, "TRUNCATE " + table, change, List.of(), List.of());
    }
  }

  @SuppressWarnings({"ReferenceEquality", "StringEquality"}) // an identity, no contents
  private static boolean isUnchanged(String value) {
    return value == SlotChanges.UNCHANGED;
  }

  private static String list(Relation relation, List<Integer> places, String form, String between) {
    return String.join(
        between, places.stream().map(i -> form.formatted(relation.columns().get(i))).toList());
  }

  private static void execute(
      Connection target, String sql, Change change, List<Integer> values, List<Integer> keys)
      throws SQLException {
    try (PreparedStatement statement = target.prepareStatement(sql)) {
      int parameter = 1;
      for (int place : values) {
        statement.setObject(parameter++, change.row().get(place), Types.OTHER);
      }
      for (int place : keys) {
        statement.setObject(parameter++, change.row().get(place), Types.OTHER);
      }
      statement.executeUpdate();
    }
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
