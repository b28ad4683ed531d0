package io.walproof.connector.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.relation.ChangeOrdinal;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.Lsn;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePositionStoreTest {

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("position");
  }

  @Test
  void whatWasWrittenIsReadBack() throws Exception {
    FilePositionStore store = FilePositionStore.open(file());
    assertThat(store.durable()).isEmpty();
    Position position = position(7);
    store.write(position);
    store.write(position(9));
    assertThat(store.durable()).contains(position(9));
    assertThat(FilePositionStore.open(file()).durable()).contains(position(9));
    assertThat(PositionFile.read(file()).orElseThrow().entries()).isEqualTo(position(9).entries());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file());
    }
  }

  @Test
  void theFormatIsPinned() throws Exception {
    FilePositionStore.open(file())
        .write(
            new Position(
                Map.of("lsn", 24L, "ts_usec", 5L),
                new Lsn(23),
                new ChangeOrdinal(new Lsn(22), new Lsn(21), 3),
                SchemaHistory.empty(),
                WalOrigin.of("77")));
    assertThat(Files.readString(file()))
        .isEqualTo(
            "walproof-position 1 cb1d2e01e4e6b2819b1c846ea0590d03a2572eac6ddef06b51cfdab30ca00cf0\n"
                + JSON
                + "\n");
  }

  private static final String JSON =
      "{\"lsn\":24,\"lsn_commit\":23,\"ts_usec\":5,\"walproof.position\":\"0/16 0/15 3\","
          + "\"walproof.schema_history\":\"{\\\"v\\\":1,\\\"tables\\\":{}}\","
          + "\"walproof.system_identifier\":\"77\"}";

  @Test
  void aDamagedFileIsRefusedByNameAndLeftAlone() throws Exception {
    FilePositionStore.open(file()).write(position(7));
    byte[] good = Files.readAllBytes(file());
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 1;
      Files.write(file(), bad);
      assertThatThrownBy(() -> FilePositionStore.open(file()))
          .as("byte %d", at)
          .isInstanceOf(PositionStoreException.class)
          .hasMessageContaining(file().toString());
      assertThat(Files.readAllBytes(file())).isEqualTo(bad);
    }
    for (int length = 0; length < good.length; length++) {
      byte[] torn = java.util.Arrays.copyOf(good, length);
      Files.write(file(), torn);
      assertThatThrownBy(() -> FilePositionStore.open(file()))
          .isInstanceOf(PositionStoreException.class);
    }
  }

  @Test
  void anUnknownVersionIsRefused() throws Exception {
    Files.writeString(file(), "walproof-position 2 whatever\n{}\n");
    assertThatThrownBy(() -> FilePositionStore.open(file()))
        .isInstanceOf(PositionStoreException.class)
        .hasMessageContaining("version 2");
  }

  @Test
  void aFailedWriteKeepsThePositionBefore() throws Exception {
    FilePositionStore store = FilePositionStore.open(file());
    store.write(position(7));
    // Something that cannot be replaced where the temporary file belongs.
    Path blocker = folder.resolve("position.tmp");
    Files.createDirectory(blocker);
    Files.writeString(blocker.resolve("x"), "x", StandardCharsets.UTF_8);
    assertThatThrownBy(() -> store.write(position(8)))
        .isInstanceOf(PositionStoreException.class)
        .hasMessageContaining(file().toString());
    assertThat(store.durable()).contains(position(7));
    assertThat(PositionFile.read(file())).contains(position(7));
  }

  @Test
  void anInterruptDoesNotSpoilAWrite() throws Exception {
    FilePositionStore store = FilePositionStore.open(file());
    Thread.currentThread().interrupt();
    store.write(position(7));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(PositionFile.read(file())).contains(position(7));
  }

  private static Position position(long lsn) {
    Map<String, Object> debezium = new HashMap<>();
    debezium.put("lsn", lsn + 2);
    debezium.put("lsn_proc", lsn + 1);
    debezium.put("messageType", "INSERT");
    debezium.put("transaction_id", "5:6");
    debezium.put("incremental", true);
    return new Position(
        debezium,
        new Lsn(lsn),
        new ChangeOrdinal(new Lsn(lsn), new Lsn(lsn - 1), 2),
        SchemaHistory.empty(),
        WalOrigin.of("77"));
  }
}
