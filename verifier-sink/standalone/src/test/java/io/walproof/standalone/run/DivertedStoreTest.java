package io.walproof.standalone.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of diverted keys, as runs that end anywhere leave and find it. */
class DivertedStoreTest {

  private static final TableId HOSTILE = new TableId("s", "a,b=\"c\"\n\u0000x".replace("\0", "é"));
  private static final TableId OTHER = new TableId("public", "other");

  @TempDir Path folder;

  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("diverted.jsonl");
  }

  private static ChangedKey key(TableId table, int id, long transaction) {
    return new ChangedKey(
        table,
        new RowKey(List.of(new RowKey.Column("id", "x\"\n" + id))),
        transaction % 2 == 0 ? Operation.DELETE : Operation.UPDATE,
        new Lsn(-1),
        transaction,
        Instant.ofEpochMilli(1_700_000_000_123L),
        new ShapeHash("0123456789abcdef0123456789abcdef"));
  }

  private DivertedStore open(int most) {
    return DivertedStore.open(file, most);
  }

  @Test
  void whatIsKeptIsThereAfterARestartForTheOwnerAlone() throws IOException {
    assertThat(open(10).size()).isZero();
    List<ChangedKey> keys = List.of(key(HOSTILE, 1, 1), key(OTHER, 1, 3), key(HOSTILE, 2, 5));
    assertThat(open(10).keep(keys)).isEmpty();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    DivertedStore again = open(10);
    assertThat(again.except(List.of())).containsExactlyElementsOf(keys);
    assertThat(again.except(List.of(HOSTILE))).containsExactly(key(OTHER, 1, 3));
    assertThat(again.fullExcept(List.of())).isEmpty();
  }

  @Test
  void theLatestChangeOfAKeyCountsAndTakesNoMoreRoom() {
    DivertedStore store = open(1);
    for (int change = 1; change <= 5_000; change++) {
      assertThat(store.keep(List.of(key(OTHER, 1, change), key(OTHER, 1, change)))).isEmpty();
    }
    assertThat(store.except(List.of())).containsExactly(key(OTHER, 1, 5_000));
    assertThat(open(1).except(List.of())).containsExactly(key(OTHER, 1, 5_000));
    assertThat(file.toFile().length()).isLessThan(330_000L);
  }

  @Test
  void aTornLineIsDroppedAndNothingElse() throws IOException {
    open(10).keep(List.of(key(HOSTILE, 1, 1), key(HOSTILE, 2, 1)));
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length <= whole.length; length += 7) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      DivertedStore store = open(10);
      int lines = (int) IntStream.range(0, length).filter(i -> whole[i] == '\n').count();
      assertThat(store.size()).as("of " + length + " bytes").isEqualTo(lines);
      // What comes next does not join the torn line.
      store.keep(List.of(key(OTHER, 9, 1)));
      assertThat(open(10).size()).isEqualTo(lines + 1);
    }
  }

  @Test
  void whatThereIsNoRoomForIsNamedAndItsTableStaysSo() {
    List<ChangedKey> keys = IntStream.range(0, 5).mapToObj(i -> key(OTHER, i, 1)).toList();
    assertThat(open(3).keep(keys)).containsExactlyElementsOf(keys.subList(3, 5));
    DivertedStore again = open(3);
    assertThat(again.fullExcept(List.of())).containsExactly(OTHER);
    assertThat(again.fullExcept(List.of(OTHER))).isEmpty();
    assertThat(again.size()).isEqualTo(4);
    // A key that is kept already still has its place.
    assertThat(again.keep(List.of(key(OTHER, 2, 3), key(HOSTILE, 1, 1))))
        .containsExactly(key(HOSTILE, 1, 1));
    again.forget(again.except(List.of()), List.of(OTHER));
    assertThat(open(3).fullExcept(List.of())).containsExactly(HOSTILE);
    assertThat(open(3).except(List.of())).isEmpty();
  }

  @Test
  void whatWasKeptOnceMoreMeanwhileIsNotForgotten() {
    DivertedStore store = open(10);
    store.keep(List.of(key(OTHER, 1, 1), key(OTHER, 2, 1)));
    List<ChangedKey> checked = store.except(List.of());
    store.keep(List.of(key(OTHER, 2, 3)));
    store.forget(checked, List.of());
    assertThat(open(10).except(List.of())).containsExactly(key(OTHER, 2, 3));
  }

  @Test
  void theSameChangeThatCameAgainIsNotForgotten() {
    DivertedStore store = open(10);
    store.keep(List.of(key(OTHER, 1, 1), key(OTHER, 2, 1)));
    List<ChangedKey> checked = store.except(List.of());
    assertThat(store.held(checked)).isEqualTo(2);
    store.keep(List.of(key(OTHER, 2, 1)));
    assertThat(store.held(checked)).isEqualTo(1);
    store.forget(checked, List.of());
    assertThat(open(10).except(List.of())).containsExactly(key(OTHER, 2, 1));
  }

  @Test
  void aTableThatFoundNoRoomOnceMoreIsToldOnceMore() {
    open(1).keep(List.of(key(OTHER, 1, 1), key(OTHER, 2, 1)));
    DivertedStore store = open(1);
    List<ChangedKey> checked = store.except(List.of());
    assertThat(store.keep(List.of(key(OTHER, 3, 1)))).hasSize(1);
    store.forget(checked, List.of(OTHER));
    assertThat(store.fullExcept(List.of())).containsExactly(OTHER);
    DivertedStore again = open(1);
    assertThat(again.fullExcept(List.of())).containsExactly(OTHER);
    again.forget(List.of(), List.of(OTHER));
    assertThat(open(1).fullExcept(List.of())).isEmpty();
  }

  @Test
  void aDamagedFileIsRefusedAndLeftAsItIs() throws IOException {
    open(10).keep(List.of(key(OTHER, 1, 1)));
    for (String damage : List.of("{\"v\":2}\n", "nonsense\n", "{\"v\":1,\"full\":true}\n")) {
      byte[] before = Files.readAllBytes(file);
      Files.writeString(file, damage, StandardOpenOption.APPEND);
      byte[] damaged = Files.readAllBytes(file);
      assertThatThrownBy(() -> open(10))
          .isInstanceOf(DivertedStoreException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("line 2")
          .hasMessageContaining("verify-range");
      assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
      Files.write(file, before);
    }
  }

  @Test
  void whereItCannotBeWrittenNothingCountsAsKept() throws IOException {
    Files.createDirectory(file);
    assertThatThrownBy(() -> DivertedStore.open(file, 10))
        .isInstanceOf(DivertedStoreException.class);
  }
}
