package io.walproof.verifier.core;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.VisibleTransactions;
import io.walproof.verifier.row.KeyRead;
import io.walproof.verifier.row.RowAccess;
import io.walproof.verifier.row.TablePlan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Two databases in memory, with versions, and a row access that can be told to misbehave. */
final class FakeTables {

  /** Called before a read; returns what to answer instead, or null to read. */
  interface Interference {
    RowAccess.BatchRead before(Side side, List<RowKey> keys);
  }

  private record Row(long value, long xmin, OptionalLong app) {}

  private final Map<Side, Map<TableId, Map<RowKey, Row>>> rows = new EnumMap<>(Side.class);
  private final List<String> reads = new ArrayList<>();
  private volatile RowAccess.BatchRead confirmed;
  private Interference interference = (side, keys) -> null;
  private RowAccess.Opening refusal;
  private String fingerprint = "v1";
  private long nextXmin = 100;
  private Optional<VisibleTransactions> visible = Optional.empty();
  private final Deque<HeldCommits> held = new ArrayDeque<>(List.of(HeldCommits.NONE));
  private int looks;

  FakeTables() {
    rows.put(Side.SOURCE, new HashMap<>());
    rows.put(Side.TARGET, new HashMap<>());
  }

  synchronized void put(Side side, TableId table, RowKey key, long value) {
    put(side, table, key, value, OptionalLong.empty());
  }

  synchronized void put(Side side, TableId table, RowKey key, long value, OptionalLong app) {
    rows.get(side)
        .computeIfAbsent(table, t -> new HashMap<>())
        .put(key, new Row(value, nextXmin++, app));
  }

  synchronized void delete(Side side, TableId table, RowKey key) {
    rows.get(side).getOrDefault(table, new HashMap<>()).remove(key);
  }

  synchronized void interfere(Interference with) {
    interference = with;
  }

  synchronized void refuseToOpen(RowAccess.Opening answer) {
    refusal = answer;
  }

  synchronized void alter(String newFingerprint) {
    fingerprint = newFingerprint;
  }

  /** What source reads say they saw. */
  synchronized void show(VisibleTransactions transactions) {
    visible = Optional.of(transactions);
  }

  /** What the source says of commits that wait, look by look; the last answer stays. */
  synchronized void hold(HeldCommits... looksInTurn) {
    held.clear();
    held.addAll(List.of(looksInTurn));
  }

  /** How often that was asked. */
  synchronized int looks() {
    return looks;
  }

  private synchronized HeldCommits held() {
    looks++;
    return held.size() > 1 ? held.remove() : held.element();
  }

  synchronized List<String> reads() {
    return List.copyOf(reads);
  }

  /** What a plan that accuses somebody is worth from now on; null if it stands. */
  void confirm(RowAccess.BatchRead worth) {
    confirmed = worth;
  }

  RowAccess access() {
    return new Access();
  }

  private synchronized RowAccess.Opening plan(TableId table, List<String> keyColumns) {
    return refusal != null
        ? refusal
        : new RowAccess.Opening.Ready(new OneColumnPlan(table, keyColumns, fingerprint));
  }

  private RowAccess.BatchRead answer(Side side, TablePlan plan, List<RowKey> keys) {
    Interference hook;
    synchronized (this) {
      hook = interference;
    }
    RowAccess.BatchRead instead = hook.before(side, keys);
    if (instead != null) {
      return instead;
    }
    synchronized (this) {
      reads.add(side.text() + " " + plan.table() + " " + keys.size());
      if (!plan.fingerprint().equals(fingerprint)) {
        return new RowAccess.BatchRead.PlanStale();
      }
      List<KeyRead> results = new ArrayList<>();
      for (RowKey key : keys) {
        Row row = rows.get(side).getOrDefault(plan.table(), Map.of()).get(key);
        results.add(
            row == null
                ? new KeyRead.NotFound()
                : new KeyRead.Found(
                    new RowHash(0, row.value()), row.xmin(), new long[] {row.value()}, row.app()));
      }
      return new RowAccess.BatchRead.Rows(
          results, side == Side.SOURCE ? visible : Optional.empty());
    }
  }

  private final class Access implements RowAccess {
    @Override
    public Opening open(
        TableId table, List<String> keyColumns, Deadline deadline, Cancellation cancel) {
      return plan(table, keyColumns);
    }

    @Override
    public BatchRead read(
        Side side, TablePlan plan, List<RowKey> keys, Deadline deadline, Cancellation cancel) {
      return answer(side, plan, keys);
    }

    @Override
    public Optional<BatchRead> confirm(TablePlan plan, Deadline deadline, Cancellation cancel) {
      return Optional.ofNullable(confirmed);
    }

    @Override
    public HeldCommits heldCommits(Deadline deadline, Cancellation cancel) {
      return held();
    }

    @Override
    public void close() {}
  }
}
