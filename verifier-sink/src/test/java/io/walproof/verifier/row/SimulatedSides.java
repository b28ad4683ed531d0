package io.walproof.verifier.row;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.HeldCommits;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.row.RowAccess.BatchRead;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * One table with a key of whole numbers on two sides, in memory, read by ranges under a plan that
 * the real planner made. Every call is one moment; before it the {@link Weather} may change rows or
 * let the call fail. Thread-safe; whoever changes rows holds this object's lock.
 */
public class SimulatedSides implements RangeAccess {

  /** How the two sides sort the key, and what they call it. */
  public enum Keys {
    /** Both are bigint. */
    ALIKE,
    /** The target's is numeric(10,2): 5 is 5.00 there. */
    SCALED,
    /** Both are text, which each side sorts by a collation of its own. */
    SORTED_APART
  }

  /** What happens before a call. */
  @FunctionalInterface
  public interface Weather {
    /**
     * May change rows.
     *
     * @param call which
     * @return what the call ends with instead of its work
     */
    Trouble before(String call);
  }

  /** What a call may end with. */
  public enum Trouble {
    NONE,
    STALE,
    FAILED
  }

  private static final String DETAIL = "simulated";
  private static final TableId TABLE = new TableId("public", "simulated");
  private static final List<String> NUMBER_OPERATORS =
      List.of(
          "OPERATOR(pg_catalog.<)",
          "OPERATOR(pg_catalog.<=)",
          "OPERATOR(pg_catalog.=)",
          "OPERATOR(pg_catalog.>=)",
          "OPERATOR(pg_catalog.>)");

  private HeldCommits held = new HeldCommits.Known(Set.of());
  private final Keys keys;
  private final boolean indexed;
  private final boolean oneEncoding;
  private final NavigableMap<Integer, List<String>> source;
  private final NavigableMap<Integer, List<String>> target;
  private final Map<Integer, Integer> versions = new TreeMap<>();
  private final Set<Integer> unreadable = new HashSet<>();
  private Weather weather = call -> Trouble.NONE;
  private int keyless;

  /**
   * Without rows.
   *
   * @param keys the key's types and orders
   * @param indexed whether the target has a unique index over the key; if not, it may have a key
   *     twice, or NULL
   * @param oneEncoding whether both databases have one encoding, so that their digests compare
   */
  public SimulatedSides(Keys keys, boolean indexed, boolean oneEncoding) {
    this.keys = keys;
    this.indexed = indexed;
    this.oneEncoding = oneEncoding;
    this.source = new TreeMap<>();
    this.target =
        new TreeMap<>(
            keys == Keys.SORTED_APART
                ? Comparator.comparing(String::valueOf)
                : Comparator.<Integer>naturalOrder());
  }

  /** The one table there is. */
  public static TableId table() {
    return TABLE;
  }

  /** What happens from now on. */
  public synchronized void weather(Weather now) {
    weather = now;
  }

  /** The source's row; null removes it. */
  public synchronized void putSource(int key, String value) {
    put(source, key, value);
  }

  /** The target's only row of a key; null removes it. */
  public synchronized void putTarget(int key, String value) {
    put(target, key, value);
    versions.merge(key, 1, Integer::sum);
  }

  /** One more row of a key on the target. */
  public synchronized void addTarget(int key, String value) {
    target.computeIfAbsent(key, any -> new ArrayList<>()).add(value);
    versions.merge(key, 1, Integer::sum);
  }

  /** Rows of the target with NULL for a key. */
  public synchronized void keyless(int rows) {
    keyless = rows;
  }

  /** The target's row of this key can be seen, but not its values. */
  public synchronized void unreadable(int key) {
    unreadable.add(key);
  }

  /** Whether {@link #unreadable} said so. */
  public synchronized boolean isUnreadable(int key) {
    return unreadable.contains(key);
  }

  private static void put(NavigableMap<Integer, List<String>> side, int key, String value) {
    if (value == null) {
      side.remove(key);
    } else {
      side.put(key, new ArrayList<>(List.of(value)));
    }
  }

  /** A side's values by key, in its order. */
  public synchronized NavigableMap<Integer, List<String>> rows(Side side) {
    NavigableMap<Integer, List<String>> copy = new TreeMap<>(map(side).comparator());
    map(side).forEach((key, values) -> copy.put(key, List.copyOf(values)));
    return copy;
  }

  /** The key of a number, as the source writes it. */
  public static int number(RowKey key) {
    return number(key.columns().get(0).text());
  }

  private static int number(String text) {
    return Integer.parseInt(text.endsWith(".00") ? text.substring(0, text.length() - 3) : text);
  }

  private NavigableMap<Integer, List<String>> map(Side side) {
    return side == Side.SOURCE ? source : target;
  }

  private String text(Side side, int key) {
    return key + (side == Side.TARGET && keys == Keys.SCALED ? ".00" : "");
  }

  private NavigableMap<Integer, List<String>> in(Side side, KeyRange range) {
    NavigableMap<Integer, List<String>> rows = new TreeMap<>(map(side));
    Comparator<? super Integer> order =
        rows.comparator() == null ? Comparator.naturalOrder() : rows.comparator();
    range
        .from()
        .ifPresent(from -> rows.keySet().removeIf(key -> beyond(order, number(from), key, from)));
    range.to().ifPresent(to -> rows.keySet().removeIf(key -> beyond(order, key, number(to), to)));
    return rows;
  }

  /** Whether the first key lies behind the second, or at it where that does not belong. */
  private static boolean beyond(
      Comparator<? super Integer> order, int one, int other, KeyRange.Bound bound) {
    int compared = order.compare(one, other);
    return compared > 0 || (compared == 0 && !bound.inclusive());
  }

  private static int number(KeyRange.Bound bound) {
    return number(bound.key().get(0));
  }

  @Override
  public synchronized Opening open(TableId table, Deadline deadline, Cancellation cancel) {
    SideCatalog from = catalog(Side.SOURCE, true);
    SideCatalog to = catalog(Side.TARGET, indexed);
    RowAccess.Opening opening =
        new TablePlanner(table, List.of("id"), RowSettings.defaults())
            .plan(Optional.of(from), Optional.of(to));
    PlannedTable planned = (PlannedTable) ((RowAccess.Opening.Ready) opening).plan();
    RangePlan plan =
        RangePlanner.plan(
            planned, from.uniqueIndexes().get(0), RowSettings.defaults().rowMaxBytes());
    if ((plan.pairing() == RangePlan.Pairing.BY_LOOKUP) != (keys == Keys.SORTED_APART)) {
      throw new IllegalStateException("the planner pairs " + keys + ' ' + plan.pairing());
    }
    return new Opening.Ready(plan);
  }

  private SideCatalog catalog(Side side, boolean withIndex) {
    String type =
        switch (keys) {
          case ALIKE -> "int8";
          case SCALED -> side == Side.SOURCE ? "int8" : "numeric";
          case SORTED_APART -> "text";
        };
    boolean text = keys == Keys.SORTED_APART;
    IndexSort sort =
        new IndexSort(
            NUMBER_OPERATORS,
            text ? Optional.of("\"" + side.text() + '"') : Optional.empty(),
            text ? side.text() : "numbers",
            false,
            false);
    UniqueIndex index =
        new UniqueIndex(
            "simulated_pkey",
            true,
            List.of(new UniqueIndex.Part("id", NUMBER_OPERATORS.get(2), sort)),
            Optional.empty());
    return new SideCatalog(
        side,
        TABLE,
        'r',
        "UTF8",
        SideCatalog.USUAL_MONEY_DIGITS,
        SideCatalog.Access.READABLE,
        List.of(column("id", type), column("v", "text")),
        List.of(),
        withIndex ? List.of(index) : List.of(),
        "simulated");
  }

  private static CatalogColumn column(String name, String type) {
    return new CatalogColumn(name, ColumnType.scalar(new TypeName("pg_catalog", type)), type);
  }

  @Override
  public synchronized Read read(
      Side side,
      RangePlan plan,
      KeyRange range,
      int limit,
      Content content,
      Deadline deadline,
      Cancellation cancel) {
    Trouble trouble = weather.before("read " + content + " of the " + side.text());
    if (cancel.isCancelled()) {
      return new Read.Failed(IncompleteReason.CANCELLED, DETAIL, false);
    }
    if (trouble == Trouble.STALE) {
      return new Read.PlanStale();
    }
    if (trouble == Trouble.FAILED) {
      return new Read.Failed(failed(side), DETAIL, false);
    }
    RowsChunk chunk = new RowsChunk(List.of("id"), content != Content.KEYS);
    for (Map.Entry<Integer, List<String>> row : in(side, range).entrySet()) {
      for (String value : row.getValue()) {
        if (chunk.size() == limit) {
          return new Read.Rows(chunk);
        }
        if (content != Content.KEYS && side == Side.TARGET && unreadable.contains(row.getKey())) {
          return new Read.Failed(failed(side), DETAIL, true);
        }
        RowHash hash = hash(content == Content.LINES ? "line" : "row", row.getKey(), value);
        byte[] key = text(side, row.getKey()).getBytes(StandardCharsets.UTF_8);
        chunk.beginRow();
        chunk.addKeyPart(key, 0, key.length);
        chunk.endRow(hash.high(), hash.low(), key.length + value.length());
      }
    }
    return new Read.Rows(chunk);
  }

  private static RowHash hash(String kind, int key, String value) {
    HashValue128 hash =
        Hashing.xxh3_128()
            .hashBytesTo128Bits((kind + key + '=' + value).getBytes(StandardCharsets.UTF_8));
    return new RowHash(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
  }

  private static IncompleteReason failed(Side side) {
    return JdbcRowAccess.readFailed(side);
  }

  @Override
  public synchronized Digest digest(
      Side side, RangePlan plan, KeyRange range, Deadline deadline, Cancellation cancel) {
    Trouble trouble = weather.before("digest of the " + side.text());
    if (cancel.isCancelled()) {
      return new Digest.Failed(IncompleteReason.CANCELLED, DETAIL, false);
    }
    if (trouble == Trouble.STALE) {
      return new Digest.PlanStale();
    }
    if (trouble == Trouble.FAILED) {
      return new Digest.Failed(failed(side), DETAIL, false);
    }
    long count = 0;
    BigInteger first = BigInteger.ZERO;
    BigInteger second = BigInteger.ZERO;
    for (Map.Entry<Integer, List<String>> row : in(side, range).entrySet()) {
      if (side == Side.TARGET && unreadable.contains(row.getKey())) {
        return new Digest.Failed(failed(side), DETAIL, true);
      }
      for (String value : row.getValue()) {
        RowHash hash = hash("digest", row.getKey(), value);
        count++;
        first = first.add(BigInteger.valueOf(hash.high()));
        second = second.add(BigInteger.valueOf(hash.low()));
      }
    }
    String encoding = oneEncoding || side == Side.SOURCE ? "UTF8" : "LATIN1";
    return new Digest.Made(new ServerDigest(count, first, second, encoding));
  }

  @Override
  public synchronized KeyAt keyAt(
      RangePlan plan, KeyRange range, int offset, Deadline deadline, Cancellation cancel) {
    Trouble trouble = weather.before("key at " + offset);
    if (cancel.isCancelled() || trouble != Trouble.NONE) {
      return new KeyAt.Failed(
          cancel.isCancelled() ? IncompleteReason.CANCELLED : failed(Side.SOURCE), DETAIL);
    }
    return in(Side.SOURCE, range).keySet().stream()
        .skip(offset)
        .findFirst()
        .<KeyAt>map(key -> new KeyAt.Key(List.of(text(Side.SOURCE, key))))
        .orElseGet(KeyAt.Beyond::new);
  }

  @Override
  public synchronized KeylessRows keylessRows(
      RangePlan plan, Deadline deadline, Cancellation cancel) {
    Trouble trouble = weather.before("rows without key");
    return cancel.isCancelled() || trouble != Trouble.NONE
        ? new KeylessRows.Failed(DETAIL)
        : new KeylessRows.Counted(keyless);
  }

  /** From here on, what the source says of commits that wait. */
  public synchronized void hold(HeldCommits commits) {
    held = commits;
  }

  @Override
  public synchronized HeldCommits heldCommits(Deadline deadline, Cancellation cancel) {
    return held;
  }

  @Override
  public synchronized BatchRead lookup(
      Side side, RangePlan plan, List<RowKey> wanted, Deadline deadline, Cancellation cancel) {
    Trouble trouble = weather.before("lookup on the " + side.text());
    if (cancel.isCancelled()) {
      return new BatchRead.Failed(IncompleteReason.CANCELLED, DETAIL);
    }
    if (trouble == Trouble.STALE) {
      return new BatchRead.PlanStale();
    }
    if (trouble == Trouble.FAILED) {
      return new BatchRead.Failed(failed(side), DETAIL);
    }
    return new BatchRead.Rows(
        wanted.stream().map(key -> one(side, number(key))).toList(), Optional.empty());
  }

  private KeyRead one(Side side, int key) {
    List<String> values = map(side).getOrDefault(key, List.of());
    if (values.isEmpty()) {
      return new KeyRead.NotFound();
    }
    if (values.size() > 1) {
      return new KeyRead.Unreadable(IncompleteReason.NOT_UNIQUE, DETAIL);
    }
    if (side == Side.TARGET && unreadable.contains(key)) {
      return new KeyRead.Unreadable(
          IncompleteReason.ROW_TOO_LARGE, DETAIL, OptionalLong.of(versions.getOrDefault(key, 0)));
    }
    return new KeyRead.Found(
        hash("row", key, values.get(0)),
        side == Side.TARGET ? versions.getOrDefault(key, 0) : 1,
        new long[0],
        OptionalLong.empty());
  }

  @Override
  public synchronized Within within(
      RangePlan plan, KeyRange range, List<RowKey> asked, Deadline deadline, Cancellation cancel) {
    Trouble trouble = weather.before("within");
    if (cancel.isCancelled() || trouble != Trouble.NONE) {
      return new Within.Failed(
          cancel.isCancelled() ? IncompleteReason.CANCELLED : failed(Side.SOURCE), DETAIL);
    }
    Set<Integer> places = new HashSet<>();
    for (int i = 0; i < asked.size(); i++) {
      if (contains(range, number(asked.get(i)))) {
        places.add(i);
      }
    }
    return new Within.Places(places);
  }

  /** Whether the source's order has the key in the range. */
  public static boolean contains(KeyRange range, int key) {
    Comparator<Integer> order = Comparator.naturalOrder();
    return range.from().map(from -> !beyond(order, number(from), key, from)).orElse(true)
        && range.to().map(to -> !beyond(order, key, number(to), to)).orElse(true);
  }

  @Override
  public BoundCheck check(RangePlan plan, KeyRange range, Deadline deadline, Cancellation cancel) {
    return new BoundCheck.Accepted();
  }

  @Override
  public synchronized long estimatedRows(TableId table, Deadline deadline, Cancellation cancel) {
    return source.size();
  }
}
