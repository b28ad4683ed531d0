package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

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
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PGInterval;
import org.postgresql.util.PGobject;

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

  private static OffsetClaims.Answer of(Map<String, ?> offset) {
    return OffsetClaims.of(offset, CARRIED, OffsetClaims.Known.NOTHING);
  }

  private static OffsetClaims.Known copied(TableId... tables) {
    return new OffsetClaims.Known(false, Set.of(tables)::contains, Optional.empty());
  }

  private static List<Claim> claims(Map<String, ?> offset, OffsetClaims.Known known) {
    OffsetClaims.Answer answer = OffsetClaims.of(offset, CARRIED, known);
    assertThat(answer.left()).isEmpty();
    return answer.claims();
  }

  @Test
  void aCursorClaimsItsTableThroughTheKeyAndWhatItHasDone() throws Exception {
    assertThat(claims(cursor(list("public.b", "public.c"), 17), copied(A)))
        .containsExactly(
            new Claim(
                B,
                new KeyRange(
                    Optional.empty(), Optional.of(new KeyRange.Bound(List.of("17"), true))),
                Claim.Origin.SNAPSHOT_CURSOR),
            new Claim(A, KeyRange.ALL, Claim.Origin.SNAPSHOT_CURSOR));
  }

  /** Done and never copied look the same in an offset. */
  @Test
  void whatACursorDoesNotListIsClaimedOnlyIfItIsKnownToBeCopied() throws Exception {
    Map<String, Object> offset = cursor(list("public.b"), 17);
    OffsetClaims.Answer unknown = OffsetClaims.of(offset, CARRIED, OffsetClaims.Known.NOTHING);
    assertThat(unknown.claims()).extracting(Claim::table).containsExactly(B);
    assertThat(unknown.left())
        .extracting(RangeResult::table, RangeResult::outcome, RangeResult::reason)
        .containsExactly(
            tuple(A, RangeOutcome.SKIPPED, Optional.of("not_claimed")),
            tuple(C, RangeOutcome.SKIPPED, Optional.of("not_claimed")));
    OffsetClaims.Answer one = OffsetClaims.of(offset, CARRIED, copied(C));
    assertThat(one.claims()).extracting(Claim::table).containsExactly(B, C);
    assertThat(one.left()).extracting(RangeResult::table).containsExactly(A);
    assertThat(claims(offset, new OffsetClaims.Known(true, any -> false, Optional.empty())))
        .extracting(Claim::table)
        .containsExactly(B, A, C);
    // What it lists is not claimed, whoever says what.
    assertThat(claims(cursor(list("public.b", "public.c", "public.a"), 17), copied(A, B, C)))
        .extracting(Claim::table)
        .containsExactly(B);
  }

  @Test
  void beforeItsFirstKeyACursorClaimsNothingOfItsTable() throws Exception {
    Map<String, Object> offset =
        Map.of(
            "lsn", 5L,
            "incremental_snapshot_collections", list("public.a", "public.b", "public.c"),
            "incremental_snapshot_primary_key", hex(null));
    assertThat(claims(offset, OffsetClaims.Known.NOTHING)).isEmpty();
  }

  /** The tables that are done do not depend on the one that is under way. */
  @Test
  void aKeyThatCannotBeReadIsRefusedForItsTableAlone() throws Exception {
    String conditional =
        "{\"incremental_snapshot_collections_id\":\"public.b\","
            + "\"incremental_snapshot_collections_additional_condition\":\"x > 1\"}";
    String surrogate =
        "{\"incremental_snapshot_collections_id\":\"public.b\","
            + "\"incremental_snapshot_collections_surrogate_key\":\"other\"}";
    Map<Map<String, Object>, String> offsets =
        Map.of(
            cursor(list("public.b"), new PGInterval(1, 0, 0, 0, 0, 0)),
            "incremental-snapshot cursor",
            cursor(list("public.b"), new java.sql.Date(39_600_000L)),
            "--claim-zone",
            cursor(list(conditional), 1),
            "additional condition",
            cursor(list(surrogate), 1),
            "surrogate key");
    offsets.forEach(
        (offset, why) -> {
          OffsetClaims.Answer answer = OffsetClaims.of(offset, CARRIED, copied(A, C));
          assertThat(answer.claims()).extracting(Claim::table).containsExactly(A, C);
          assertThat(answer.left()).hasSize(1);
          RangeResult left = answer.left().get(0);
          assertThat(left.table()).isEqualTo(B);
          assertThat(left.outcome()).isEqualTo(RangeOutcome.INCOMPLETE);
          assertThat(left.reason()).contains("cursor_key");
          assertThat(left.detail().orElseThrow()).contains(why);
        });
  }

  /** Point 7. */
  @Test
  void aCursorOutsideOfTheRouteClaimsNothing() {
    assertThatThrownBy(() -> of(cursor(list("public.x", "public.c"), 1)))
        .isInstanceOf(RangeException.class)
        .hasMessageContaining("public.x");
    assertThatThrownBy(
            () ->
                OffsetClaims.of(
                    cursor(list("a.b.c"), 1),
                    Set.of(new TableId("a", "b.c"), new TableId("a.b", "c")),
                    OffsetClaims.Known.NOTHING))
        .hasMessageContaining("may be any of");
  }

  @Test
  void aCompleteSnapshotClaimsAll() {
    Map<String, Object> complete =
        Map.of("lsn", 5L, "snapshot", "INITIAL", "snapshot_completed", true);
    assertThat(of(complete).claims())
        .extracting(Claim::table, Claim::range, Claim::origin)
        .containsExactly(
            tuple(A, KeyRange.ALL, Claim.Origin.SNAPSHOT_COMPLETED),
            tuple(B, KeyRange.ALL, Claim.Origin.SNAPSHOT_COMPLETED),
            tuple(C, KeyRange.ALL, Claim.Origin.SNAPSHOT_COMPLETED));
    // After snapshot.mode=no_data an offset looks the same as long after a complete snapshot.
    assertThatThrownBy(() -> of(Map.of("lsn", 5L)))
        .hasMessageContaining("no_data")
        .hasMessageContaining("--claim-initial-snapshot");
    assertThatThrownBy(() -> of(Map.of("lsn", 5L, "incremental_snapshot_collections", "[]")))
        .hasMessageContaining("no_data");
    OffsetClaims.Known known = new OffsetClaims.Known(true, any -> false, Optional.empty());
    assertThat(claims(Map.of("lsn", 5L), known)).hasSize(3);
    assertThatThrownBy(
            () ->
                OffsetClaims.of(
                    Map.of("lsn", 5L, "snapshot", "INITIAL", "snapshot_completed", false),
                    CARRIED,
                    known))
        .hasMessageContaining("claims nothing");
    assertThatThrownBy(
            () -> of(Map.of("lsn", 5L, "snapshot", "INITIAL", "snapshot_completed", false)))
        .hasMessageContaining("claims nothing");
    assertThatThrownBy(() -> of(Map.of("file", "binlog.1"))).hasMessageContaining("no lsn");
  }

  @Test
  void keysAreDecodedAsPostgresqlWritesThem() throws Exception {
    UUID uuid = UUID.fromString("00000000-0000-0000-0000-00000000002a");
    PGobject citext = new PGobject();
    citext.setType("citext");
    citext.setValue("Case");
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
                      "2026-03-04 03:06:14.123505+00",
                      citext
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
                "2026-03-04 03:06:14.123505+00",
                "Case"));
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
      assertThatThrownBy(() -> of(cursor(list, 1)))
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
            new Object[] {new PGobject()},
            new Object[] {new PGInterval(1, 0, 0, 0, 0, 0)},
            new Object[] {java.time.Instant.EPOCH},
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
