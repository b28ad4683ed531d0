package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.TableId;
import io.walproof.verifier.row.KeyRange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class OffsetClaimsTest {

  private static final TableId A = new TableId("public", "a");
  private static final TableId B = new TableId("public", "b");
  private static final TableId C = new TableId("public", "c");
  private static final Set<TableId> CARRIED = Set.of(A, B, C);

  private static String hex(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private static String list(String... entries) {
    List<String> all = new ArrayList<>();
    for (String entry : entries) {
      all.add(
          entry.startsWith("{")
              ? entry
              : "{\"incremental_snapshot_collections_id\":\""
                  + entry
                  + "\",\"incremental_snapshot_collections_additional_condition\":null,"
                  + "\"incremental_snapshot_collections_surrogate_key\":null}");
    }
    return all.toString();
  }

  private static Map<String, Object> cursor(String collections, Object... key) throws IOException {
    return Map.of(
        "lsn",
        5L,
        "incremental_snapshot_collections",
        collections,
        "incremental_snapshot_primary_key",
        hex(key));
  }

  @Test
  void aCursorClaimsItsTableThroughTheKeyAndWhatItDoesNotList() throws Exception {
    List<Claim> claims = OffsetClaims.of(cursor(list("public.b", "public.c"), 17), CARRIED);
    assertThat(claims)
        .containsExactly(
            new Claim(
                B,
                new KeyRange(
                    Optional.empty(), Optional.of(new KeyRange.Bound(List.of("17"), true))),
                Claim.Origin.SNAPSHOT_CURSOR),
            new Claim(A, KeyRange.ALL, Claim.Origin.SNAPSHOT_CURSOR));
  }

  @Test
  void beforeItsFirstKeyACursorClaimsNothingOfItsTable() throws Exception {
    Map<String, Object> offset =
        Map.of(
            "lsn", 5L,
            "incremental_snapshot_collections", list("public.a", "public.b", "public.c"),
            "incremental_snapshot_primary_key", hex(null));
    assertThat(OffsetClaims.of(offset, CARRIED)).isEmpty();
  }

  /** Point 7. */
  @Test
  void aCursorOutsideOfTheRouteClaimsNothing() {
    assertThatThrownBy(() -> OffsetClaims.of(cursor(list("public.x", "public.c"), 1), CARRIED))
        .isInstanceOf(RangeException.class)
        .hasMessageContaining("public.x");
    assertThatThrownBy(
            () ->
                OffsetClaims.of(
                    cursor(
                        list(
                            "{\"incremental_snapshot_collections_id\":\"public.b\","
                                + "\"incremental_snapshot_collections_additional_condition\":"
                                + "\"x > 1\"}"),
                        1),
                    CARRIED))
        .hasMessageContaining("additional condition");
    assertThatThrownBy(
            () ->
                OffsetClaims.of(
                    cursor(list("a.b.c"), 1),
                    Set.of(new TableId("a", "b.c"), new TableId("a.b", "c"))))
        .hasMessageContaining("may be any of");
  }

  @Test
  void aCompleteSnapshotClaimsAll() {
    Map<String, Object> complete =
        Map.of("lsn", 5L, "snapshot", "INITIAL", "snapshot_completed", true);
    assertThat(OffsetClaims.of(complete, CARRIED))
        .extracting(Claim::table, Claim::range, Claim::origin)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(A, KeyRange.ALL, Claim.Origin.SNAPSHOT_COMPLETED),
            org.assertj.core.groups.Tuple.tuple(B, KeyRange.ALL, Claim.Origin.SNAPSHOT_COMPLETED),
            org.assertj.core.groups.Tuple.tuple(C, KeyRange.ALL, Claim.Origin.SNAPSHOT_COMPLETED));
    // After snapshot.mode=no_data an offset looks the same as long after a complete snapshot.
    assertThatThrownBy(() -> OffsetClaims.of(Map.of("lsn", 5L), CARRIED))
        .hasMessageContaining("no_data")
        .hasMessageContaining("--claim-initial-snapshot");
    assertThatThrownBy(
            () ->
                OffsetClaims.of(
                    Map.of("lsn", 5L, "incremental_snapshot_collections", "[]"), CARRIED))
        .hasMessageContaining("no_data");
    OffsetClaims.Known known = new OffsetClaims.Known(true, Optional.empty());
    assertThat(OffsetClaims.of(Map.of("lsn", 5L), CARRIED, known)).hasSize(3);
    assertThatThrownBy(
            () ->
                OffsetClaims.of(
                    Map.of("lsn", 5L, "snapshot", "INITIAL", "snapshot_completed", false),
                    CARRIED,
                    known))
        .hasMessageContaining("claims nothing");
    assertThatThrownBy(
            () ->
                OffsetClaims.of(
                    Map.of("lsn", 5L, "snapshot", "INITIAL", "snapshot_completed", false), CARRIED))
        .hasMessageContaining("claims nothing");
    assertThatThrownBy(() -> OffsetClaims.of(Map.of("file", "binlog.1"), CARRIED))
        .hasMessageContaining("no lsn");
  }

  @Test
  void keysAreDecodedAsPostgresqlWritesThem() throws Exception {
    UUID uuid = UUID.fromString("00000000-0000-0000-0000-00000000002a");
    assertThat(
            CursorKey.decode(
                hex(
                    new Object[] {
                      (short) 1,
                      2,
                      3L,
                      new BigDecimal("1E+3"),
                      new BigInteger("99999999999999999999"),
                      "text, \"with\" anything\n",
                      uuid,
                      new byte[] {0, (byte) 0xFF},
                      true,
                      LocalDate.of(2026, 1, 2),
                      OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 6_000, ZoneOffset.UTC)
                    }),
                Optional.empty()))
        .contains(
            List.of(
                "1",
                "2",
                "3",
                "1000",
                "99999999999999999999",
                "text, \"with\" anything\n",
                uuid.toString(),
                "\\x00ff",
                "true",
                "2026-01-02",
                "2026-01-02T03:04:05.000006Z"));
  }

  /** O13: a date is the writer's midnight, wherever that was. */
  @Test
  void datesDoNotDependOnTheZone() throws Exception {
    for (String date : List.of("2026-03-04", "2026-09-30", "1970-01-01", "1582-10-10")) {
      for (String zone :
          List.of(
              "UTC",
              "Asia/Tokyo",
              "America/Los_Angeles",
              "Asia/Shanghai",
              "America/Sao_Paulo",
              "Asia/Kolkata",
              "+09:59",
              "-09:59")) {
        assertThat(decoded(LocalDate.parse(date), zone, Optional.empty()))
            .as(date + ' ' + zone)
            .contains(List.of(date));
      }
    }
  }

  /** Half a world apart two days begin at once: who cannot be told from the instant says it. */
  @Test
  void aDateThatTheZoneDecidesIsNotGuessed() throws Exception {
    LocalDate date = LocalDate.of(2026, 3, 4);
    for (String zone :
        List.of("+13:00", "+14:00", "+12:00", "+12:45", "-10:00", "-11:00", "-12:00")) {
      assertThatThrownBy(() -> decoded(date, zone, Optional.empty()))
          .as(zone)
          .isInstanceOf(RangeException.class)
          .hasMessageContaining("--claim-zone");
      assertThat(decoded(date, zone, Optional.of(ZoneId.of(zone))))
          .as(zone)
          .contains(List.of("2026-03-04"));
    }
    assertThatThrownBy(() -> decoded(date, "Asia/Tokyo", Optional.of(ZoneId.of("Asia/Shanghai"))))
        .hasMessageContaining("no midnight in Asia/Shanghai");
  }

  @Test
  void datesBeyondJavasAreWrittenAsPostgresqlDoes() throws Exception {
    assertThat(decoded(LocalDate.of(0, 12, 31), "UTC", Optional.empty()))
        .contains(List.of("0001-12-31 BC"));
    assertThat(decoded(LocalDate.of(12026, 1, 2), "UTC", Optional.empty()))
        .contains(List.of("12026-01-02"));
    Object[] endless = {new java.sql.Date(9223372036825200000L)};
    assertThat(CursorKey.decode(hex(endless), Optional.empty())).contains(List.of("infinity"));
  }

  private static Optional<List<String>> decoded(LocalDate date, String zone, Optional<ZoneId> known)
      throws IOException {
    long midnight = date.atStartOfDay(ZoneId.of(zone)).toInstant().toEpochMilli();
    return CursorKey.decode(hex(new Object[] {new java.sql.Date(midnight)}), known);
  }

  /** Tells whether it was read. */
  private static final class Payload implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final AtomicBoolean CAME_TO_LIFE = new AtomicBoolean();

    private void readObject(ObjectInputStream in) {
      CAME_TO_LIFE.set(true);
    }
  }

  /** Whoever can write offsets must not run code here. */
  @Test
  void whatIsRefusedDoesNotComeToLife() throws Exception {
    String hex = hex(new Object[] {new Payload()});
    assertThatThrownBy(() -> CursorKey.decode(hex, Optional.empty()))
        .isInstanceOf(RangeException.class);
    assertThat(Payload.CAME_TO_LIFE).isFalse();
  }

  @Test
  void aListOfTablesThatIsNoneIsRefused() {
    for (String list : List.of("{}", "nothing", "[1]", "[{\"x\":1}]", "[{]")) {
      assertThatThrownBy(() -> OffsetClaims.of(cursor(list, 1), CARRIED))
          .as(list)
          .isInstanceOf(RangeException.class)
          .hasMessageContaining("is no list of tables");
    }
  }

  @Test
  void anythingElseIsRefused() throws Exception {
    List<Object> others =
        List.of(
            new ArrayList<>(List.of(1)),
            new Object[] {new java.util.HashMap<>()},
            new Object[] {Thread.State.NEW},
            new Object[] {new java.net.URI("file:/etc/passwd")},
            new Object[] {new Object[] {new Object[] {new Object[] {new Object[] {1}}}}},
            new Object[] {new Object[] {1}},
            new Object[33],
            new Object[0],
            new Object[] {null},
            "text");
    for (Object other : others) {
      String hex = hex(other);
      assertThatThrownBy(() -> CursorKey.decode(hex, Optional.empty()))
          .as(other.getClass().toString())
          .isInstanceOf(RangeException.class)
          .hasMessageContaining("incremental-snapshot cursor");
    }
    for (String bad : List.of("", "zz", "aced", "aced0005")) {
      assertThatThrownBy(() -> CursorKey.decode(bad, Optional.empty()))
          .isInstanceOf(RangeException.class);
    }
  }
}
