package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.StreamedRow;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.RowVersion;
import io.walproof.verifier.model.RowVersion.Known;
import io.walproof.verifier.model.RowVersion.Untold;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.model.VersionGap;
import io.walproof.verifier.row.RowAccess.Opening;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A row of the stream has the hash that a read of it has, or none. */
class PlannedStreamTest {

  private static final TableId TABLE = TableId.parse("public.t");

  private static final IndexSort DETERMINISTIC =
      new IndexSort(List.of(), Optional.empty(), "i de-DE 153.1 6 t", false, false);

  private static final IndexSort NOT_DETERMINISTIC =
      new IndexSort(List.of(), Optional.empty(), "i und-u-ks-level2 153.1 6 f", false, false);

  /** The canonical bytes are those of the rules in the README. */
  @ParameterizedTest
  @CsvSource({
    "numeric, 1.50, 1.5",
    "float8, -0, 0",
    "bpchar, 'a  ', a",
    "text, 'a  ', 'a  '",
    "jsonb, '{\"a\": 1.0}', '{\"a\": 1.0}'",
    "timestamptz, 2026-01-01 00:00:00+00, 2026-01-01 00:00:00+00",
    "bytea, \\x6162, ab",
  })
  void aValueIsHashedByItsRule(String type, String text, String canonical) {
    assertThat(stream("int4", type, IndexSort.UNKNOWN, false).state(row("id v", "7", text)))
        .isEqualTo(known("7", canonical));
  }

  @Test
  void columnsAreFoundByNameAndNullIsNoText() {
    StreamedRows stream = stream("int4", "text", IndexSort.UNKNOWN, false);
    assertThat(stream.state(row("more v id", "x", "a", "7"))).isEqualTo(known("7", "a"));
    assertThat(stream.state(row("id v", "7", "a"))).isEqualTo(known("7", "a"));
    assertThat(stream.state(row("id v", "7", null))).isEqualTo(known("7", null));
    assertThat(stream.absence()).isEqualTo(new Known(Optional.empty()));
  }

  @Test
  void whatIsNotThereIsNoValue() {
    StreamedRows stream = stream("int4", "text", IndexSort.UNKNOWN, false);
    assertThat(stream.state(row("id w", "7", "a"))).isEqualTo(new Untold(VersionGap.COLUMNS));
    byte[][] unsent = {bytes("7"), StreamedRow.notSent()};
    assertThat(stream.state(contents("id v", unsent)))
        .isEqualTo(new Untold(VersionGap.UNCHANGED_TOAST));
    // Of a column that is not compared it does not matter.
    byte[][] other = {bytes("7"), bytes("a"), StreamedRow.notSent()};
    assertThat(stream.state(contents("id v w", other))).isEqualTo(known("7", "a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"money", "regclass", "regproc", "regtype"})
  void whatOnlyTheServerCanTellIsUntold(String type) {
    isUntold(stream("int4", type, IndexSort.UNKNOWN, false), VersionGap.TYPES);
  }

  /** The same key may come under another text, as 1.0 and 1.00. */
  @ParameterizedTest
  @ValueSource(strings = {"numeric", "float8", "interval", "bpchar"})
  void soIsAKeyWithSeveralTexts(String type) {
    isUntold(stream(type, "text", IndexSort.UNKNOWN, false), VersionGap.TYPES);
  }

  @Test
  void aTextIsAKeyWhereItsCollationTellsTextsApart() {
    StreamedRow.Contents row = row("id v", "k", "a");
    assertThat(stream("text", "text", DETERMINISTIC, false).state(row)).isEqualTo(known("k", "a"));
    isUntold(stream("text", "text", NOT_DETERMINISTIC, false), VersionGap.TYPES);
    isUntold(stream("text", "text", IndexSort.UNKNOWN, false), VersionGap.TYPES);
  }

  @Test
  void ofFilteredRowsNothingIsTold() {
    isUntold(stream("int4", "text", IndexSort.UNKNOWN, true), VersionGap.PUBLICATION);
  }

  private static void isUntold(StreamedRows stream, VersionGap gap) {
    assertThat(stream.state(row("id v", "7", "a"))).isEqualTo(new Untold(gap));
    assertThat(stream.absence()).isEqualTo(new Untold(gap));
  }

  private static RowVersion.State known(String id, String value) {
    RowHasher hasher = new RowHasher(List.of("id", "v"));
    hasher.begin();
    hasher.add(0, bytes(id));
    hasher.add(1, value == null ? null : bytes(value));
    return new Known(Optional.of(hasher.end()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static StreamedRow.Contents row(String columns, String... texts) {
    byte[][] values = new byte[texts.length][];
    for (int i = 0; i < texts.length; i++) {
      values[i] = texts[i] == null ? null : bytes(texts[i]);
    }
    return contents(columns, values);
  }

  private static StreamedRow.Contents contents(String columns, byte[][] values) {
    return new StreamedRow.Contents() {
      @Override
      public List<String> columns() {
        return List.of(columns.split(" ", -1));
      }

      @Override
      public byte[][] texts() {
        return values;
      }
    };
  }

  private static StreamedRows stream(String key, String value, IndexSort sort, boolean filtered) {
    RowSettings settings =
        filtered
            ? RowSettings.defaults().publishing(Map.of(), Map.of(TABLE, "v IS NULL"))
            : RowSettings.defaults();
    Opening opening =
        new TablePlanner(TABLE, List.of("id"), settings)
            .plan(
                Optional.of(catalog(Side.SOURCE, key, value, sort)),
                Optional.of(catalog(Side.TARGET, key, value, sort)));
    return ((Opening.Ready) opening).plan().streamedRows();
  }

  private static SideCatalog catalog(Side side, String key, String value, IndexSort sort) {
    return new SideCatalog(
        side,
        TABLE,
        'r',
        "UTF8",
        SideCatalog.USUAL_MONEY_DIGITS,
        SideCatalog.Access.READABLE,
        List.of(column("id", key), column("v", value)),
        List.of(),
        List.of(
            new UniqueIndex(
                "pk",
                true,
                List.of(new UniqueIndex.Part("id", "OPERATOR(\"pg_catalog\".=)", sort)),
                Optional.empty())),
        "");
  }

  private static CatalogColumn column(String name, String type) {
    return new CatalogColumn(name, ColumnType.scalar(new TypeName("pg_catalog", type)), type);
  }
}
