package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.PostgresDriftConnector;
import io.walproof.connector.catalog.CatalogText;
import io.walproof.connector.offset.Position;
import io.walproof.connector.offset.WalOrigin;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.contract.Lsn;
import io.walproof.contract.OffsetKeys;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Offsets may be reset or set to something well-formed; nonsense is refused with the reason. */
class OffsetRequestTest {

  private static final Map<String, String> CONFIG = Map.of("topic.prefix", "shop");
  private static final Map<String, ?> PARTITION = Map.of("server", "shop");

  private static Map<String, Object> offset() {
    return new HashMap<>(
        Position.start(Lsn.parse("0/1000"), SchemaHistory.empty(), WalOrigin.of("7")).entries());
  }

  private static void request(Map<String, ?> partition, Map<String, ?> offset) {
    Map<Map<String, ?>, Map<String, ?>> offsets = new HashMap<>();
    offsets.put(partition, offset);
    assertThat(new PostgresDriftConnector().alterOffsets(CONFIG, offsets)).isTrue();
  }

  @Test
  void resetsAreAccepted() {
    request(PARTITION, null);
    request(Map.of("server", "a former prefix"), null);
    assertThat(new PostgresDriftConnector().alterOffsets(CONFIG, Map.of())).isTrue();
  }

  @Test
  void anOffsetOfThisFormatIsAccepted() {
    request(PARTITION, offset());
    // As REST reads small numbers.
    Map<String, Object> narrow = offset();
    narrow.put("lsn", 4096);
    request(PARTITION, narrow);
    request(PARTITION, Map.of("lsn", 4096L));
  }

  @Test
  void aCatalogReadingIsAcceptedAndItsDamageIsNot() {
    Map<String, ?> partition = Map.of("server", "shop", "walproof", "catalog");
    String text = CatalogText.write(Map.of("public.t", "{\"oid\":1}"), 10_000).text();
    request(partition, Map.of("v", 1L, "tables", text));
    assertThatThrownBy(() -> request(partition, Map.of("v", 1L, "tables", text.substring(4))))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("damaged");
    assertThatThrownBy(() -> request(partition, Map.of("v", 2L, "tables", text)))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("version 2");
    assertThatThrownBy(() -> request(partition, offset())).isInstanceOf(ConnectException.class);
    assertThatThrownBy(
            () ->
                request(
                    Map.of("server", "other", "walproof", "catalog"),
                    Map.of("v", 1L, "tables", text)))
        .isInstanceOf(ConnectException.class);
  }

  @Test
  void anotherPartitionIsRefused() {
    assertThatThrownBy(() -> request(Map.of("server", "other"), offset()))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("{\"server\": \"shop\"}");
    assertThatThrownBy(() -> request(Map.of("server", "shop", "table", "t"), offset()))
        .isInstanceOf(ConnectException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "walproof.position, somewhere",
    "walproof.schema_history, []",
    "walproof.schema_history, nonsense",
    "walproof.schema_history, '{\"v\":2}'",
    "lsn_commit, 0/1000"
  })
  void aMalformedEntryIsRefused(String key, String value) {
    Map<String, Object> offset = offset();
    offset.put(key, value);
    assertThatThrownBy(() -> request(PARTITION, offset)).isInstanceOf(ConnectException.class);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> request(PARTITION, Map.of()))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("lsn");
    assertThatThrownBy(() -> request(PARTITION, Map.of("position", 17L)))
        .isInstanceOf(ConnectException.class);
    assertThatThrownBy(() -> request(PARTITION, Map.of("lsn", 0L)))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("reset");
    assertThatThrownBy(() -> request(PARTITION, Map.of("lsn", 1.5)))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("'lsn'");
    assertThatThrownBy(() -> request(PARTITION, Map.of("lsn", 17L, "snapshot", Map.of())))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("'snapshot'");
    assertThatThrownBy(
            () -> request(PARTITION, Map.of("lsn", 17L, OffsetKeys.SYSTEM_IDENTIFIER, 17L)))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(OffsetKeys.SYSTEM_IDENTIFIER);
  }
}
