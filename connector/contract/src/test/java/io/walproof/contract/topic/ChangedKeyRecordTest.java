package io.walproof.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.ChangedKey;
import io.walproof.contract.Lsn;
import io.walproof.contract.Operation;
import io.walproof.contract.RowKey;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Version 1 of a changed key on a topic (invariant K). */
class ChangedKeyRecordTest {

  private static final Golden FIRST = vectors().get(0);

  static List<Golden> vectors() {
    try {
      return Golden.read("changed-key-v1.json");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void theFormIsPinned(Golden golden) throws IOException {
    ChangedKey change = ChangedKeyRecord.of(golden.value());
    assertThat(Golden.normal(ChangedKeyRecord.value(change)))
        .isEqualTo(Golden.normal(golden.value()));
    assertThat(Golden.normal(ChangedKeyRecord.key(change))).isEqualTo(Golden.normal(golden.key()));
  }

  @Test
  void theMeaningIsPinned() {
    assertThat(ChangedKeyRecord.of(FIRST.value()))
        .isEqualTo(
            new ChangedKey(
                new TableId("public", "a.b"),
                new RowKey(
                    List.of(
                        new RowKey.Column("id", "42"),
                        new RowKey.Column("Land", "d\"e,\u0001\u00e9"))),
                Operation.UPDATE,
                Lsn.parse("0/16AE748"),
                4294967295L,
                Instant.parse("2026-01-01T00:00:00.123Z"),
                new ShapeHash("0123456789abcdef0123456789abcdef")));
  }

  @Test
  void unknownFieldsAreIgnored() {
    assertThat(ChangedKeyRecord.of(FIRST.with("later", Map.of("a", 1))))
        .isEqualTo(ChangedKeyRecord.of(FIRST.value()));
  }

  @Test
  void anAbsentShapeIsAsANullOne() {
    Golden read = vectors().get(2);
    assertThat(ChangedKeyRecord.of(read.with("shape", null)))
        .isEqualTo(ChangedKeyRecord.of(read.value()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v", "schema", "table", "columns", "op", "lsn", "txid", "ts_ms", "shape"})
  void aMissingFieldIsNamed(String field) {
    assertThatThrownBy(() -> ChangedKeyRecord.of(FIRST.with(field, null)))
        .isInstanceOf(TopicFormatException.class)
        .hasMessageContaining("io.walproof.ChangedKey")
        .hasMessageContaining("'" + field + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "schema,''",
    "table,''",
    "columns,4711",
    "op,x4711",
    "op,i",
    "lsn,4711",
    "txid,4711",
    "ts_ms,4711",
    "shape,4711",
    "v,4711"
  })
  void aMalformedFieldIsNamedAndNotQuoted(String field, String text) {
    assertThatThrownBy(() -> ChangedKeyRecord.of(FIRST.with(field, text)))
        .isInstanceOf(TopicFormatException.class)
        .hasMessageNotContaining("4711");
  }

  @Test
  void fractionsAndImpossibleTransactionsAreRefused() {
    assertThatThrownBy(() -> ChangedKeyRecord.of(FIRST.with("lsn", 1.0)))
        .isInstanceOf(TopicFormatException.class);
    assertThatThrownBy(() -> ChangedKeyRecord.of(FIRST.with("txid", 1L << 32)))
        .isInstanceOf(TopicFormatException.class);
    assertThatThrownBy(() -> ChangedKeyRecord.of(FIRST.with("txid", -1)))
        .isInstanceOf(TopicFormatException.class);
  }

  @Test
  void malformedColumnsAreRefused() {
    assertThatThrownBy(() -> ChangedKeyRecord.of(FIRST.with("columns", List.of())))
        .isInstanceOf(TopicFormatException.class);
    assertThatThrownBy(() -> ChangedKeyRecord.of(FIRST.with("columns", List.of("id"))))
        .isInstanceOf(TopicFormatException.class);
    assertThatThrownBy(
            () -> ChangedKeyRecord.of(FIRST.with("columns", List.of(Map.of("name", "id")))))
        .isInstanceOf(TopicFormatException.class)
        .hasMessageContaining("'text'");
  }

  @Test
  void anotherVersionIsRefused() {
    assertThatThrownBy(() -> ChangedKeyRecord.of(FIRST.with("v", 2)))
        .isInstanceOf(TopicFormatException.class)
        .hasMessageContaining("version 2");
    assertThatThrownBy(() -> ChangedKeyRecord.of(null)).isInstanceOf(TopicFormatException.class);
  }
}
