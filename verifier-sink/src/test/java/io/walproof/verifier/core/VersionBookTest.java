package io.walproof.verifier.core;

import static io.walproof.verifier.core.VerifierHarness.ORDERS;
import static io.walproof.verifier.core.VerifierHarness.SHAPE;
import static io.walproof.verifier.core.VerifierHarness.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.StreamedRow;
import io.walproof.contract.TableId;
import io.walproof.verifier.decide.Versions;
import io.walproof.verifier.ingest.KeyEntry;
import io.walproof.verifier.ingest.KeyQueue;
import io.walproof.verifier.ingest.Watermark;
import io.walproof.verifier.model.AuditEntry.Stratum;
import io.walproof.verifier.model.RowHash;
import io.walproof.verifier.model.RowVersion;
import io.walproof.verifier.model.RowVersion.Change;
import io.walproof.verifier.model.RowVersion.Known;
import io.walproof.verifier.model.RowVersion.Lost;
import io.walproof.verifier.model.RowVersion.Untold;
import io.walproof.verifier.model.VersionGap;
import io.walproof.verifier.model.VisibleTransactions;
import io.walproof.verifier.versions.VersionBook;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is kept of the versions of pending keys, and that nothing that is missing goes unsaid. */
class VersionBookTest {

  private static final VisibleTransactions ALL = new VisibleTransactions(1_000, 1_000, Set.of());
  private static final ShapeHash OTHER = new ShapeHash("ffffffffffffffffffffffffffffffff");

  private final List<KeyEntry> entries = new ArrayList<>();
  private VersionBook book = new VersionBook(1 << 20);
  private KeyQueue queue = queue();
  private final Watermark watermark = new Watermark();
  private long now;

  private KeyQueue queue() {
    return new KeyQueue(
        Duration.ofNanos(10),
        entry -> {
          entries.add(entry);
          book.opened(entry);
        });
  }

  @Test
  void keepsInOrderWhatComesAfterTheChangeThatOpenedTheKey() {
    use("plan");
    shows(1, 5, 10);
    shows(1, 6, 11);
    deletes(1, 12);
    shows(2, 7, 13);
    assertThat(of(0)).containsExactly(known(11, 6), gone(12));
  }

  @Test
  void anotherEntryOfTheKeyHasItsOwnBeginning() {
    use("plan");
    shows(1, 5, 10);
    now += 11;
    shows(1, 6, 11);
    shows(1, 7, 12);
    assertThat(of(0)).containsExactly(known(11, 6), known(12, 7));
    assertThat(of(1)).containsExactly(known(12, 7));
    book.closed(entries.get(0));
    assertThat(of(1)).containsExactly(known(12, 7));
    book.closed(entries.get(1));
    assertThat(book.bytes()).isZero();
  }

  @Test
  void theOldestMakeRoomAndThatIsSaid() {
    book = new VersionBook(400);
    queue = queue();
    use("plan");
    shows(1, 5, 10);
    for (int i = 1; i <= 5; i++) {
      shows(1, i, 10 + i);
      assertThat(book.bytes()).isLessThanOrEqualTo(400);
    }
    assertThat(of(0)).containsExactly(lost(VersionGap.MEMORY), known(14, 4), known(15, 5));
    shows(2, 9, 20);
    assertThat(kept(1)).isEqualTo(new Versions.Missing(VersionGap.MEMORY));
    assertThat(book.dropped()).isPositive();
  }

  @Test
  void aKeyWithoutRoomForAnyVersionIsSaidToHaveLostThem() {
    book = new VersionBook(200);
    queue = queue();
    use("plan");
    shows(1, 5, 10);
    shows(1, 6, 11);
    assertThat(of(0)).containsExactly(lost(VersionGap.MEMORY));
  }

  @Test
  void lossesStandWhereTheyHappened() {
    use("plan");
    shows(1, 5, 10);
    shows(1, 6, 11);
    book.lost(new TableId("public", "others"));
    assertThat(of(0)).containsExactly(known(11, 6));
    book.lost(ORDERS);
    shows(1, 7, 12);
    book.lost();
    assertThat(of(0))
        .containsExactly(
            known(11, 6),
            lost(VersionGap.CHANGES_MISSED),
            known(12, 7),
            lost(VersionGap.CHANGES_MISSED));
    // What is lost later makes no earlier loss good.
    shows(1, 8, 13);
    book.lost(ORDERS);
    assertThat(of(0))
        .containsExactly(
            known(11, 6),
            lost(VersionGap.CHANGES_MISSED),
            known(12, 7),
            lost(VersionGap.CHANGES_MISSED),
            known(13, 8),
            lost(VersionGap.CHANGES_MISSED));
  }

  @Test
  void whatComesAgainIsNotKeptTwice() {
    use("plan");
    shows(1, 5, 10);
    shows(1, 6, 11);
    arrives(change(key(1), Operation.UPDATE, 11, SHAPE), row(6, 11, true));
    assertThat(of(0)).containsExactly(known(11, 6), lost(VersionGap.CHANGES_MISSED));
  }

  @Test
  void changesUnderAnotherKeyAreALoss() {
    use("plan");
    shows(1, 5, 10);
    RowKey other = new RowKey(List.of(new RowKey.Column("code", "a")));
    arrives(change(other, Operation.UPDATE, 11, SHAPE), row(6, 11, false));
    assertThat(of(0)).containsExactly(lost(VersionGap.CHANGES_MISSED));
  }

  @Test
  void versionsOfAnotherShapeOrPlanAreUntold() {
    shows(1, 5, 10);
    shows(1, 6, 11);
    use("older");
    shows(1, 7, 12);
    use("plan");
    shows(1, 8, 13);
    assertThat(of(0))
        .containsExactly(
            untold(11, VersionGap.NOT_KEPT), untold(12, VersionGap.SHAPE), known(13, 8));
    now += 11;
    shows(2, 5, 14);
    arrives(change(key(2), Operation.UPDATE, 15, SHAPE), row(6, 15, false));
    now += 11;
    arrives(change(key(2), Operation.UPDATE, 16, OTHER), row(7, 16, false));
    assertThat(of(1)).containsExactly(known(15, 6), untold(16, VersionGap.SHAPE));
  }

  @Test
  void aRowThatWasNotHandedOnIsTooLong() {
    use("plan");
    shows(1, 5, 10);
    arrives(
        change(key(1), Operation.UPDATE, 11, SHAPE),
        new StreamedRow(new Lsn(11), false, Optional.empty()));
    assertThat(of(0)).containsExactly(untold(11, VersionGap.TOO_LONG));
  }

  @Test
  void nothingIsKeptForRangesRenewedKeysAndSnapshots() {
    use("plan");
    ChangedKey named = change(key(1), Operation.UPDATE, 10, SHAPE);
    queue.offer(named, Stratum.RANGE, watermark, now);
    assertThat(kept(0)).isEqualTo(new Versions.Missing(VersionGap.NOT_KEPT));
    shows(2, 5, 10);
    queue.renew(entries.get(1), now);
    assertThat(kept(2)).isEqualTo(new Versions.Missing(VersionGap.NOT_KEPT));
    queue.offer(change(key(3), Operation.READ, 0, null), watermark, now);
    assertThat(kept(3)).isEqualTo(new Versions.Missing(VersionGap.NOT_KEPT));
  }

  /** A diverted key comes later than newer changes of it, which its reads need not see. */
  @Test
  void whatIsNamedOutsideTheStreamHasGapsFromItsBeginning() throws InterruptedException {
    ManualTime time = new ManualTime();
    VerifierLimits limits =
        new VerifierLimits(
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            10,
            Duration.ofSeconds(1),
            Duration.ZERO,
            Duration.ofSeconds(1),
            10,
            Set.of());
    PendingBoard board = new PendingBoard(time, limits, new Ledger(), book);
    use("plan");
    board.offer(
        change(key(1), Operation.UPDATE, 10, SHAPE), Optional.empty(), Stratum.CDC, watermark);
    time.advance(Duration.ofMillis(5));
    board.offer(
        change(key(1), Operation.UPDATE, 12, SHAPE),
        Optional.of(row(6, 12, false)),
        Stratum.CDC,
        watermark);
    entries.addAll(board.takeDueKeys(1));
    assertThat(of(0)).containsExactly(new RowVersion.Lost(VersionGap.CHANGES_MISSED), known(12, 6));
  }

  @Test
  void aReadThatDoesNotSeeTheEntrysOwnChangesExplainsNothing() {
    use("plan");
    shows(1, 5, 10);
    assertThat(
            book.of(
                entries.get(0),
                "plan",
                new VisibleTransactions(10, 10, Set.of()),
                Optional.empty()))
        .isEqualTo(new Versions.Missing(VersionGap.UNEXPLAINED));
  }

  @Test
  void withoutMemoryItIsOff() {
    book = new VersionBook(0);
    queue = queue();
    shows(1, 5, 10);
    assertThat(kept(0)).isEqualTo(new Versions.Off());
  }

  private void use(String plan) {
    book.use(new OneColumnPlan(ORDERS, List.of("id"), plan));
  }

  private void shows(int id, long value, long transaction) {
    arrives(change(key(id), Operation.UPDATE, transaction, SHAPE), row(value, transaction, false));
  }

  private void deletes(int id, long transaction) {
    arrives(
        change(key(id), Operation.DELETE, transaction, SHAPE),
        new StreamedRow(new Lsn(transaction), false, Optional.empty()));
  }

  private void arrives(ChangedKey change, StreamedRow row) {
    book.arrived(change, row);
    queue.offer(change, watermark, now);
  }

  private static StreamedRow row(long value, long commit, boolean repeated) {
    return new StreamedRow(new Lsn(commit), repeated, Optional.of(OneColumnStream.row(value)));
  }

  private static ChangedKey change(
      RowKey key, Operation operation, long transaction, ShapeHash shape) {
    return new ChangedKey(
        ORDERS, key, operation, new Lsn(transaction), transaction, Instant.EPOCH, shape);
  }

  private Versions kept(int entry) {
    return book.of(entries.get(entry), "plan", ALL, Optional.empty());
  }

  private List<RowVersion> of(int entry) {
    return ((Versions.Streamed) kept(entry)).versions();
  }

  private static RowVersion known(long transaction, long value) {
    return new Change(
        new Lsn(transaction), transaction, new Known(Optional.of(new RowHash(0, value))));
  }

  private static RowVersion gone(long transaction) {
    return new Change(new Lsn(transaction), transaction, new Known(Optional.empty()));
  }

  private static RowVersion untold(long transaction, VersionGap gap) {
    return new Change(new Lsn(transaction), transaction, new Untold(gap));
  }

  private static RowVersion lost(VersionGap gap) {
    return new Lost(gap);
  }
}
