package io.walproof.connector.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.ColumnShape;
import io.walproof.contract.Lsn;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.Shape;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaHistoryTest {

  /** With a field of a newer build's, longer than the least limit that is allowed. */
  private static final String LONG_TOP = "\"v\":1,\"pad\":\"" + "x".repeat(2_000) + "\",";

  private static final HistoryLimits AMPLE = new HistoryLimits(10, 512 * 1024);
  private static final TableId ORDERS = new TableId("public", "orders");

  @Test
  void theJvmsLocaleDoesNotEnter() {
    Locale before = Locale.getDefault();
    try {
      for (String tag : List.of("tr-TR", "ar-EG-u-nu-arab", "th-TH-u-ca-buddhist-nu-thai")) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        String history =
            "{\"v\":1,\"tables\":{},\"compact\":{\"public.iI\":\""
                + "0123456789abcdef0123456789abcdef 1A/16B3748 16412 d\"}}";
        assertThat(SchemaHistory.read(history).json()).as(tag).isEqualTo(history);
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void theGoldenHistoryIsWrittenAndReadByteForByte() throws Exception {
    String golden = golden();
    assertThat(SchemaHistory.read(golden).json()).isEqualTo(golden);
    ColumnShape id = new ColumnShape("id", 20, null, -1, true);
    ColumnShape total = new ColumnShape("total", 1700, null, 786438, false);
    ColumnShape note = new ColumnShape("note", 25, null, -1, false);
    SchemaHistory history = SchemaHistory.empty();
    history =
        deliver(
            history,
            new Shape(ORDERS, 16412, ReplicaIdentity.DEFAULT, List.of(id, total)),
            "0/16B3748");
    history =
        deliver(
            history,
            new Shape(ORDERS, 16412, ReplicaIdentity.DEFAULT, List.of(id, total, note)),
            "0/16B4000");
    history =
        deliver(
            history,
            new Shape(
                new TableId("public", "a.b"),
                16500,
                ReplicaIdentity.FULL,
                List.of(
                    new ColumnShape("id", 23, null, -1, true),
                    new ColumnShape("mood", 16600, "public.mood", -1, false))),
            "1/2");
    assertThat(history.json()).isEqualTo(golden);
  }

  @Test
  void anEmptyHistoryHasNoTables() {
    assertThat(SchemaHistory.empty().json()).isEqualTo("{\"v\":1,\"tables\":{}}");
    assertThat(SchemaHistory.read("{\"v\":1}").tables()).isEmpty();
  }

  @Test
  void seeingTheCurrentShapeAgainChangesNothing() {
    SchemaHistory once = deliver(SchemaHistory.empty(), shape(ORDERS, 3, 1), "0/10");
    TableHistory table = once.table(ORDERS).orElseThrow();
    Shape same = shape(ORDERS, 3, 1);
    assertThat(table.with(same, ShapeHash.of(same), Lsn.parse("0/20"), 10)).isSameAs(table);
  }

  @Test
  void aReturningShapeIsANewVersion() {
    SchemaHistory history = SchemaHistory.empty();
    for (int width : new int[] {1, 2, 1}) {
      history = deliver(history, shape(ORDERS, width, 1), "0/10");
    }
    assertThat(history.table(ORDERS).orElseThrow().versions()).hasSize(3);
  }

  @Test
  void versionsArePrunedOldestFirst() {
    SchemaHistory history = SchemaHistory.empty();
    List<ShapeHash> hashes = new ArrayList<>();
    for (int width = 1; width <= 15; width++) {
      Shape shape = shape(ORDERS, width, 1);
      hashes.add(ShapeHash.of(shape));
      history = deliver(history, shape, "0/" + width);
    }
    assertThat(history.table(ORDERS).orElseThrow().versions())
        .extracting(ShapeVersion::hash)
        .containsExactlyElementsOf(hashes.subList(5, 15));
  }

  @Test
  void aNewerBuildsFieldsAreKeptAndItsHistoryIsReadable() {
    String newer =
        "{\"v\":1,\"written_by\":\"2.0\",\"tables\":{\"public.orders\":{\"versions\":[{\"h\":\""
            + "0".repeat(32)
            + "\",\"lsn\":\"0/1\",\"by\":\"ddl\"}],\"columns\":[[\"id\",23,-1,true,\"collation\"]],"
            + "\"oid\":7,\"ri\":\"z\",\"tags\":[1]},\"public.later\":{\"soon\":true}}}";
    SchemaHistory history = SchemaHistory.read(newer);
    assertThat(history.tables()).containsOnlyKeys("public.orders");
    TableHistory table = history.table(ORDERS).orElseThrow();
    assertThat(table.replicaIdentity()).isEmpty();
    assertThat(table.columns().orElseThrow()).hasSize(1);
    String after = deliver(history, shape(ORDERS, 2, 7), "0/2").json();
    assertThat(after)
        .contains("\"written_by\":\"2.0\"", "\"by\":\"ddl\"", "\"tags\":[1]", "{\"soon\":true}");
    assertThat(SchemaHistory.read(after).table(ORDERS).orElseThrow().versions()).hasSize(2);
  }

  @Test
  void aDiversionIsKeptThroughStoresChangesAndWantOfRoom() {
    Diversion diversion =
        new Diversion(
            "0/20 0/18 3",
            new ShapeHash("0".repeat(32)),
            new ShapeHash("1".repeat(32)),
            Lsn.parse("0/18"),
            true);
    SchemaHistory history = deliver(SchemaHistory.empty(), shape(ORDERS, 200, 7), "0/10");
    TableHistory table = history.table(ORDERS).orElseThrow();
    history = history.with(ORDERS, table.with(Optional.of(diversion)), AMPLE);
    assertThat(history.json())
        .endsWith(
            "\"diverted\":{\"h\":\""
                + "1".repeat(32)
                + "\",\"lsn\":\"0/18\",\"from\":\""
                + "0".repeat(32)
                + "\",\"begin\":\"0/20 0/18 3\",\"listed\":true}}}}");
    SchemaHistory read = SchemaHistory.read(history.json());
    assertThat(read.diversions()).containsOnlyKeys("public.orders");
    SchemaHistory later = deliver(read, shape(ORDERS, 2, 7), "0/30");
    assertThat(SchemaHistory.read(later.json()).diversions().get("public.orders"))
        .usingRecursiveComparison()
        .ignoringFields("stored")
        .isEqualTo(diversion);
    SchemaHistory small =
        read.with(ORDERS, read.table(ORDERS).orElseThrow(), new HistoryLimits(10, 1024));
    assertThat(small.shedCount()).isPositive();
    assertThat(small.diversions()).hasSize(1);
    SchemaHistory over =
        small.with(ORDERS, small.table(ORDERS).orElseThrow().with(Optional.empty()), AMPLE);
    assertThat(over.json()).doesNotContain("diverted");
    assertThat(over.diversions()).isEmpty();
  }

  @Test
  void anAcceptedTableIsShortAtOnceAndDivertedOnesAloneExceedTheLimit() {
    HistoryLimits tight = new HistoryLimits(10, 1024);
    StringBuilder text = new StringBuilder("{\"v\":1,\"tables\":{");
    for (int table = 0; table < 8; table++) {
      text.append(table == 0 ? "" : ",")
          .append("\"public.t" + table + "\":{\"versions\":[{\"h\":\"" + "1".repeat(32))
          .append("\",\"lsn\":\"0/18\"}],\"oid\":7,\"ri\":\"d\",\"diverted\":{\"h\":\"")
          .append("1".repeat(32) + "\",\"lsn\":\"0/18\",\"from\":\"" + "0".repeat(32))
          .append("\",\"begin\":\"0/20 0/18 3\"}}");
    }
    SchemaHistory history = SchemaHistory.read(text + "}}");
    assertThat(history.exceeds(AMPLE)).isFalse();
    assertThat(history.exceeds(tight)).isTrue();
    for (int table = 0; table < 8; table++) {
      TableId id = new TableId("public", "t" + table);
      history = history.with(id, history.table(id).orElseThrow().with(Optional.empty()), tight);
      assertThat(history.diversions()).hasSize(7 - table);
    }
    assertThat(history.exceeds(tight)).isFalse();
    assertThat(bytes(history)).isLessThanOrEqualTo(1024);
    assertThat(history.json()).doesNotContain("diverted");
    assertThat(SchemaHistory.read(history.json()).tables()).hasSize(8);
    // What can be shed is no excess.
    SchemaHistory wide = deliver(SchemaHistory.empty(), shape(ORDERS, 200, 7), "0/10");
    assertThat(bytes(wide)).isGreaterThan(1024);
    assertThat(wide.exceeds(tight)).isFalse();
  }

  @Test
  void anOlderBuildKeepsADiversionAsAFieldThatItDoesNotKnow() {
    // What an older build does with a field of a table that it does not know is what this one does.
    String newer =
        "{\"v\":1,\"tables\":{\"public.orders\":{\"versions\":[{\"h\":\""
            + "0".repeat(32)
            + "\",\"lsn\":\"0/1\"}],\"diverted\":{\"h\":\""
            + "1".repeat(32)
            + "\",\"lsn\":\"0/18\",\"from\":\""
            + "0".repeat(32)
            + "\",\"begin\":\"0/20 0/18 3\",\"by\":\"2.0\"}}}}";
    SchemaHistory history = deliver(SchemaHistory.read(newer), shape(ORDERS, 2, 7), "0/2");
    assertThat(history.json()).contains("\"by\":\"2.0\"");
    assertThat(history.diversions().get("public.orders").listed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "{}",
        "{\"h\":\"4711\",\"lsn\":\"0/1\",\"from\":\"00000000000000000000000000000000\","
            + "\"begin\":\"0/1 0/1 0\"}",
        "{\"h\":\"00000000000000000000000000000000\",\"lsn\":\"0/1\","
            + "\"from\":\"00000000000000000000000000000000\",\"begin\":\"0/1\"}"
      })
  void aMalformedDiversionIsRefusedAndNotTakenForNone(String diverted) {
    String stored =
        "{\"v\":1,\"tables\":{\"public.orders\":{\"versions\":[{\"h\":\""
            + "0".repeat(32)
            + "\",\"lsn\":\"0/1\"}],\"diverted\":"
            + diverted
            + "}}}";
    assertThatThrownBy(() -> SchemaHistory.read(stored))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("diverted");
  }

  @Test
  void anOlderBuildsHistoryWithoutColumnsOidAndIdentityIsABaseline() {
    Shape shape = shape(ORDERS, 2, 7);
    String older =
        "{\"v\":1,\"tables\":{\"public.orders\":{\"versions\":[{\"h\":\""
            + ShapeHash.of(shape).hex()
            + "\",\"lsn\":\"0/1\"}]}}}";
    TableHistory table = SchemaHistory.read(older).table(ORDERS).orElseThrow();
    assertThat(table.columns()).isEmpty();
    assertThat(table.relationOid()).isEmpty();
    assertThat(table.newest().hash()).isEqualTo(ShapeHash.of(shape));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"v\":2,\"tables\":{}}",
        "{\"tables\":{}}",
        "{\"v\":\"1\",\"tables\":{}}",
        "[]",
        "",
        "{",
        "{\"v\":1,\"tables\":{\"t\":[]}}",
        "{\"v\":1,\"tables\":{},\"compact\":{\"t\":{}}}",
        "{\"v\":1,\"tables\":{},\"compact\":{\"t\":\"00000000000000000000000000000000 0/1 7\"}}",
        "{\"v\":1,\"tables\":{},\"compact\":{\"t\":\"00000000000000000000000000000000 0/1 x d\"}}",
        "{\"v\":1,\"tables\":{\"t\":{\"versions\":[{\"h\":\"xyz\",\"lsn\":\"0/1\"}]}}}",
        "{\"v\":1,\"tables\":{\"t\":{\"versions\":[{\"h\":\"00000000000000000000000000000000\"}]}}}"
      })
  void whatIsNotFormatOneIsAnError(String text) {
    assertThatThrownBy(() -> SchemaHistory.read(text)).isInstanceOf(HistoryFormatException.class);
  }

  @Test
  void columnSetsGoFirstThenOldVersionsNeverTheNewestHash() {
    HistoryLimits tight = new HistoryLimits(10, 4096);
    SchemaHistory history = SchemaHistory.empty();
    for (int round = 1; round <= 4; round++) {
      for (int table = 0; table < 8; table++) {
        TableId id = new TableId("public", "t" + table);
        history = deliver(history, shape(id, 10 + round, table + 1), "0/" + round + table, tight);
        assertThat(bytes(history)).isLessThanOrEqualTo(4096);
      }
    }
    assertThat(history.shedCount()).isPositive();
    for (int table = 0; table < 8; table++) {
      TableId id = new TableId("public", "t" + table);
      assertThat(history.table(id).orElseThrow().newest().hash())
          .isEqualTo(ShapeHash.of(shape(id, 14, table + 1)));
    }
    // The table that changed last still has its columns, the one that changed first has not.
    assertThat(history.table(new TableId("public", "t7")).orElseThrow().columns()).isPresent();
    assertThat(history.table(new TableId("public", "t0")).orElseThrow().columns()).isEmpty();
    boolean columnsLeft =
        history.tables().values().stream().filter(t -> t.columns().isPresent()).count() > 1;
    boolean versionsGone =
        history.tables().values().stream().anyMatch(t -> t.versions().size() < 4);
    assertThat(columnsLeft && versionsGone).isFalse();
  }

  /** Not by name, and not the newest. */
  @Test
  void theTableThatChangedLongestAgoGivesFirst() {
    TableId a = new TableId("public", "a");
    TableId b = new TableId("public", "b");
    TableId c = new TableId("public", "c");
    SchemaHistory history = SchemaHistory.read("{" + LONG_TOP + "\"tables\":{}}");
    history = deliver(history, shape(a, 3, 1), "0/3");
    history = deliver(history, shape(b, 3, 2), "0/1");
    history = deliver(history, shape(c, 3, 3), "0/2");
    TableHistory newest = history.table(a).orElseThrow();
    SchemaHistory shed = history.with(a, newest, new HistoryLimits(10, bytes(history) - 1));
    assertThat(shed.shedCount()).isEqualTo(1);
    assertThat(shed.table(b).orElseThrow().columns()).isEmpty();
    assertThat(shed.table(a).orElseThrow().columns()).isPresent();
    assertThat(shed.table(c).orElseThrow().columns()).isPresent();
  }

  @Test
  void theVersionThatIsNotReadIsNamed() {
    assertThatThrownBy(() -> SchemaHistory.read("{\"v\":2}"))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("format version 2");
    assertThatThrownBy(() -> SchemaHistory.read("{}"))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("format version none");
  }

  @Test
  void whenColumnSetsAreGoneTheOldestVersionsGo() {
    SchemaHistory history = SchemaHistory.read("{" + LONG_TOP + "\"tables\":{}}");
    for (int width = 1; width <= 4; width++) {
      history = deliver(history, shape(ORDERS, width, 7), "0/" + width);
    }
    List<ShapeVersion> all = history.table(ORDERS).orElseThrow().versions();
    // Two versions and no columns: as long as this, and no longer.
    String two =
        "{"
            + LONG_TOP
            + "\"tables\":{\"public.orders\":{\"versions\":["
            + all.subList(2, 4).stream()
                .map(v -> "{\"h\":\"" + v.hash().hex() + "\",\"lsn\":\"" + v.lsn() + "\"}")
                .collect(java.util.stream.Collectors.joining(","))
            + "],\"oid\":7,\"ri\":\"d\"}}}";
    // One comma is counted that one table alone does not need.
    HistoryLimits exact = new HistoryLimits(10, two.length() + 1);
    Shape newest = shape(ORDERS, 4, 7);
    TableHistory table = history.table(ORDERS).orElseThrow();
    assertThat(history.with(ORDERS, table, exact).json()).isEqualTo(two);
    assertThat(history.with(ORDERS, table, exact).shedCount()).isEqualTo(3);
    HistoryLimits tighter = new HistoryLimits(10, two.length());
    assertThat(history.with(ORDERS, table, tighter).table(ORDERS).orElseThrow().versions())
        .extracting(ShapeVersion::hash)
        .containsExactly(ShapeHash.of(newest));
    HistoryLimits none = new HistoryLimits(10, 1024);
    assertThat(history.with(ORDERS, table, none).table(ORDERS).orElseThrow().newest().hash())
        .isEqualTo(ShapeHash.of(newest));
  }

  /** Its length decides what is shed, so it is the string's, whatever was read or replaced. */
  @Test
  void theLengthIsTheStrings() {
    String opaque =
        "{" + LONG_TOP + "\"tables\":{\"public.orders\":{\"soon\":\"" + "x".repeat(200) + "\"}}}";
    SchemaHistory read = SchemaHistory.read(opaque);
    assertThat(read.json()).isEqualTo(opaque);
    assertThat(read.exceeds(new HistoryLimits(10, opaque.length()))).isFalse();
    assertThat(read.exceeds(new HistoryLimits(10, opaque.length() - 1))).isTrue();
    // A table takes the place of what this build could not read.
    SchemaHistory roomy = deliver(read, shape(ORDERS, 3, 7), "0/1");
    assertThat(roomy.json()).doesNotContain("soon");
    HistoryLimits exact = new HistoryLimits(10, bytes(roomy) + 1);
    assertThat(deliver(read, shape(ORDERS, 3, 7), "0/1", exact)).isEqualTo(roomy);
    // And its next shape takes the place of that.
    SchemaHistory next = deliver(roomy, shape(ORDERS, 4, 7), "0/2");
    HistoryLimits again = new HistoryLimits(10, bytes(next) + 1);
    assertThat(deliver(roomy, shape(ORDERS, 4, 7), "0/2", again)).isEqualTo(next);
    assertThat(next).isNotEqualTo(roomy).hasToString(next.json());
    assertThat(next.hashCode()).isEqualTo(SchemaHistory.read(next.json()).hashCode());
    assertThat(next.hashCode()).isNotEqualTo(roomy.hashCode());
  }

  @Test
  void theLeastRoomIsThatOfTheLongestShortForms() {
    String longest = "f".repeat(32) + " FFFFFFFF/FFFFFFFF 4294967295 d";
    String text = "{\"v\":1,\"tables\":{},\"compact\":{\"public.orders\":\"" + longest + "\"}}";
    assertThat(SchemaHistory.read(text).json()).isEqualTo(text);
    // One comma is counted that one table alone does not need.
    assertThat(SchemaHistory.leastBytes(List.of("public.orders"))).isEqualTo(text.length() + 1);
  }

  /** The short form has no room for fields that a newer build wrote. */
  @Test
  void whatANewerBuildWroteIsNeverShortened() {
    String hash = "0".repeat(32);
    String table =
        "{\"versions\":[{\"h\":\"" + hash + "\",\"lsn\":\"0/1\"}],\"ri\":\"z\",\"tags\":[1]}";
    String version = "{\"versions\":[{\"h\":\"" + hash + "\",\"lsn\":\"0/1\",\"by\":\"ddl\"}]}";
    String plain =
        "{\"versions\":[{\"h\":\"" + hash + "\",\"lsn\":\"0/1\"}],\"oid\":7,\"ri\":\"d\"}";
    SchemaHistory newer =
        SchemaHistory.read(
            "{"
                + LONG_TOP
                + "\"tables\":{\"public.a\":"
                + table
                + ",\"public.b\":"
                + version
                + ",\"public.c\":"
                + plain
                + "}}");
    SchemaHistory tight = deliver(newer, shape(ORDERS, 3, 7), "0/2", new HistoryLimits(10, 1024));
    assertThat(tight.json())
        .contains("\"tags\":[1]", "\"by\":\"ddl\"", "\"ri\":\"z\"")
        .contains("\"public.c\":\"" + hash + " 0/1 7 d\"");
    assertThat(SchemaHistory.read(tight.json())).isEqualTo(tight);
  }

  @Test
  void newestHashesStayEvenWhenTheyAloneAreTooLong() {
    HistoryLimits tiny = new HistoryLimits(10, 1024);
    SchemaHistory history = SchemaHistory.empty();
    for (int table = 0; table < 50; table++) {
      history =
          deliver(history, shape(new TableId("public", "t" + table), 3, 1), "0/" + table, tiny);
    }
    assertThat(history.tables()).hasSize(50);
    assertThat(SchemaHistory.read(history.json())).isEqualTo(history);
  }

  @Test
  void fiveThousandTablesFitIntoTheDefaultLimitInTheirShortForm() {
    HistoryLimits byDefault = new HistoryLimits(10, 512 * 1024);
    SchemaHistory history = SchemaHistory.empty();
    for (int table = 0; table < 5000; table++) {
      TableId id = new TableId("public", "table_name_" + table);
      history = deliver(history, shape(id, 3, 4_000_000_000L + table), "1F/16B3748", byDefault);
    }
    assertThat(bytes(history)).isLessThanOrEqualTo(512 * 1024);
    assertThat(history.json()).startsWith("{\"v\":1,\"tables\":{},\"compact\":{\"public");
    assertThat((long) bytes(history))
        .isLessThanOrEqualTo(SchemaHistory.leastBytes(history.tables().keySet()))
        .isLessThanOrEqualTo(512 * 1024);
    SchemaHistory read = SchemaHistory.read(history.json());
    assertThat(read.equals(history)).isTrue();
    assertThat(read.tables()).hasSize(5000);
    TableHistory one = read.table(new TableId("public", "table_name_77")).orElseThrow();
    assertThat(one.newest().hash())
        .isEqualTo(ShapeHash.of(shape(new TableId("public", "table_name_77"), 3, 1)));
    assertThat(one.newest().lsn()).isEqualTo(Lsn.parse("1F/16B3748"));
    assertThat(one.relationOid()).hasValue(4_000_000_077L);
    assertThat(one.replicaIdentity()).contains(ReplicaIdentity.DEFAULT);
    // The same shape again changes nothing; with more room the plain form comes back.
    Shape same = shape(new TableId("public", "table_name_77"), 3, 4_000_000_077L);
    assertThat(one.with(same, ShapeHash.of(same), Lsn.parse("2/0"), 10)).isSameAs(one);
    SchemaHistory plain =
        deliver(read, shape(ORDERS, 3, 1), "2/0", new HistoryLimits(10, 16 * 1024 * 1024));
    assertThat(plain.json().contains("compact")).isFalse();
    assertThat(SchemaHistory.read(plain.json()).tables()).hasSize(5001);
  }

  @Test
  void theShortFormIsPinnedAndAnOlderBuildsEntryWinsOverIt() {
    String hash = "0123456789abcdef0123456789abcdef";
    String text =
        "{\"v\":1,\"tables\":{},\"compact\":{\"public.orders\":\""
            + hash
            + " 0/16B3748 16412 f\",\"public.x\":\""
            + hash
            + " 0/1 - -\"}}";
    SchemaHistory history = SchemaHistory.read(text);
    assertThat(history.json()).isEqualTo(text);
    assertThat(history.table(ORDERS).orElseThrow().replicaIdentity())
        .contains(ReplicaIdentity.FULL);
    assertThat(history.table(new TableId("public", "x")).orElseThrow().relationOid()).isEmpty();
    // An older build kept the unknown field and wrote what it saw since.
    String other = "f".repeat(32);
    String back =
        text.replace(
            "\"tables\":{}",
            "\"tables\":{\"public.orders\":{\"versions\":[{\"h\":\""
                + other
                + "\",\"lsn\":\"0/2\"}]}}");
    SchemaHistory after = SchemaHistory.read(back);
    assertThat(after.table(ORDERS).orElseThrow().newest().hash().hex()).isEqualTo(other);
    assertThat(after.tables()).hasSize(2);
    assertThat(SchemaHistory.read(after.json())).isEqualTo(after);
  }

  @Test
  void fiveThousandTablesAreQuick() {
    SchemaHistory history = SchemaHistory.empty();
    for (int table = 0; table < 5000; table++) {
      history =
          deliver(history, shape(new TableId("public", "t" + table), 3, 1), "0/" + table, AMPLE);
    }
    assertThat(history.tables()).hasSize(5000);
  }

  @Test
  void shedColumnsStayAwayUntilTheShapeChanges() {
    SchemaHistory one = deliver(SchemaHistory.empty(), shape(ORDERS, 3, 1), "0/1");
    TableHistory bare = one.table(ORDERS).orElseThrow().withoutColumns();
    Shape same = shape(ORDERS, 3, 1);
    assertThat(bare.with(same, ShapeHash.of(same), Lsn.parse("0/2"), 10)).isSameAs(bare);
    Shape other = shape(ORDERS, 4, 1);
    assertThat(bare.with(other, ShapeHash.of(other), Lsn.parse("0/2"), 10).columns()).isPresent();
  }

  private static SchemaHistory deliver(SchemaHistory history, Shape shape, String lsn) {
    return deliver(history, shape, lsn, AMPLE);
  }

  private static SchemaHistory deliver(
      SchemaHistory history, Shape shape, String lsn, HistoryLimits limits) {
    ShapeHash hash = ShapeHash.of(shape);
    TableHistory table =
        history
            .table(shape.table())
            .map(known -> known.with(shape, hash, Lsn.parse(lsn), limits.maxVersions()))
            .orElseGet(() -> TableHistory.first(shape, hash, Lsn.parse(lsn)));
    return history.with(shape.table(), table, limits);
  }

  private static int bytes(SchemaHistory history) {
    return history.json().getBytes(StandardCharsets.UTF_8).length;
  }

  private static Shape shape(TableId table, int width, long oid) {
    List<ColumnShape> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(new ColumnShape("cölumn" + i, 25, null, -1, i == 0));
    }
    return new Shape(table, oid, ReplicaIdentity.DEFAULT, columns);
  }

  private static String golden() throws Exception {
    try (InputStream in =
        SchemaHistoryTest.class.getResourceAsStream("/golden/schema-history-v1.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
