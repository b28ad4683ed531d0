package io.walproof.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.Lsn;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeartbeatRecordTest {

  @Test
  void theFormIsPinned() {
    HeartbeatRecord heartbeat = new HeartbeatRecord(Instant.ofEpochMilli(17), Lsn.parse("1/2"));
    assertThat(heartbeat.value()).isEqualTo(Map.of("v", 1, "ts_ms", 17L, "lsn", 4_294_967_298L));
    assertThat(HeartbeatRecord.of(heartbeat.value())).isEqualTo(heartbeat);
    assertThat(HeartbeatRecord.key("shop")).isEqualTo(Map.of("server", "shop"));
  }

  @Test
  void anotherVersionIsRefused() {
    assertThatThrownBy(() -> HeartbeatRecord.of(Map.of("v", 3, "ts_ms", 1, "lsn", 1)))
        .isInstanceOf(TopicFormatException.class)
        .hasMessageContaining("version 3");
  }
}
