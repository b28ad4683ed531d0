package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.offset.FilePositionStore;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.Lsn;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartingPositionTest {

  @TempDir Path folder;

  @Test
  void withoutAGapItIsTheDurableOne() {
    FilePositionStore store = FilePositionStore.open(folder.resolve("position"));
    StartingPosition starting = new StartingPosition(store, Optional.empty());
    assertThat(starting.current()).isEmpty();
    store.write(at(5));
    assertThat(starting.current()).contains(at(5));
  }

  @Test
  void behindAGapItIsTheSlotsUntilOneOfThisCaptureIsDurable() {
    for (long before : new long[] {5, 100}) {
      // 100: the source lost its tail, so that the slot is behind the stored position.
      FilePositionStore store = FilePositionStore.open(folder.resolve("position" + before));
      store.write(at(before));
      StartingPosition starting = new StartingPosition(store, Optional.of(at(50)));
      assertThat(starting.current()).contains(at(50));
      store.write(at(60));
      assertThat(starting.current()).contains(at(60));
    }
  }

  private static Position at(long lsn) {
    return Position.start(new Lsn(lsn), SchemaHistory.empty(), WalOrigin.of("1"));
  }
}
