package io.walproof.connector.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.schema.Diversion;
import io.walproof.connector.schema.HistoryLimits;
import io.walproof.connector.schema.SchemaHistory;
import io.walproof.connector.schema.TableHistory;
import io.walproof.contract.ColumnShape;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.ReplicaIdentity;
import io.walproof.contract.Shape;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each policy does about each kind of change. */
class DriftPolicyTest {

  private static final TableId TABLE = new TableId("public", "t");
  private static final ColumnShape ID = new ColumnShape("id", 23, null, -1, true);
  private static final ColumnShape A = new ColumnShape("a", 1043, null, 14, false);
  private static final ColumnShape B = new ColumnShape("b", 25, null, -1, false);

  static Stream<Arguments> changes() {
    Shape before = shape(7, ReplicaIdentity.DEFAULT, ID, A);
    return Stream.of(
        Arguments.of("a column added", before, shape(7, ReplicaIdentity.DEFAULT, ID, A, B), true),
        Arguments.of(
            "a column added to the key",
            before,
            shape(7, ReplicaIdentity.DEFAULT, ID, A, new ColumnShape("k", 23, null, -1, true)),
            false),
        Arguments.of("a column removed", before, shape(7, ReplicaIdentity.DEFAULT, ID), false),
        Arguments.of(
            "a length raised",
            before,
            shape(7, ReplicaIdentity.DEFAULT, ID, new ColumnShape("a", 1043, null, 24, false)),
            true),
        Arguments.of(
            "a length lowered",
            before,
            shape(7, ReplicaIdentity.DEFAULT, ID, new ColumnShape("a", 1043, null, 10, false)),
            false),
        Arguments.of(
            "one added, one narrowed",
            before,
            shape(7, ReplicaIdentity.DEFAULT, ID, new ColumnShape("a", 1043, null, 10, false), B),
            false),
        Arguments.of(
            "a type of a user",
            before,
            shape(
                7,
                ReplicaIdentity.DEFAULT,
                ID,
                new ColumnShape("a", 20_000, "public.mood", -1, false)),
            false),
        Arguments.of("another order", before, shape(7, ReplicaIdentity.DEFAULT, A, ID), false),
        Arguments.of(
            "another key",
            before,
            shape(7, ReplicaIdentity.DEFAULT, new ColumnShape("id", 23, null, -1, false), A),
            false),
        Arguments.of("created again", before, shape(8, ReplicaIdentity.DEFAULT, ID, A), false),
        Arguments.of(
            "replica identity full",
            shape(7, ReplicaIdentity.DEFAULT, ID),
            shape(7, ReplicaIdentity.FULL, ID),
            true),
        Arguments.of(
            "replica identity nothing", before, shape(7, ReplicaIdentity.NOTHING, ID, A), false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void evolveAcceptsOnlyWhatAdds(String what, Shape before, Shape after, boolean accepted) {
    DriftDecision decision = decide(DriftPolicy.EVOLVE, stored(before), after);
    assertThat(decision.halts()).as(what).isEqualTo(!accepted);
    assertThat(decision.events())
        .isNotEmpty()
        .allSatisfy(
            event -> {
              assertThat(event.policy()).isEqualTo("evolve");
              assertThat(event.action()).isEqualTo(accepted ? "accepted" : "halted");
            });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void haltHaltsAndReportDoesNot(String what, Shape before, Shape after, boolean accepted) {
    assertThat(decide(DriftPolicy.HALT, stored(before), after).halts()).as(what).isTrue();
    DriftDecision reported = decide(DriftPolicy.REPORT, stored(before), after);
    assertThat(reported.halts()).isFalse();
    assertThat(reported.events()).extracting(DriftEvent::action).containsOnly("reported");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void dlqDivertsWhateverChanged(String what, Shape before, Shape after, boolean accepted) {
    DriftDecision decision = decide(DriftPolicy.DLQ, stored(before), after);
    assertThat(decision.halts()).as(what).isFalse();
    assertThat(decision.diverts()).as(what).isTrue();
    assertThat(decision.events())
        .isNotEmpty()
        .allSatisfy(
            event -> {
              assertThat(event.action()).isEqualTo("diverted");
              assertThat(event.detail())
                  .endsWith(
                      "until drift.accept has public.t=" + ShapeHash.of(after).hex() + "@0/2");
            });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aDivertedTableStaysDivertedUnderEveryPolicy(
      String what, Shape before, Shape after, boolean accepted) {
    ShapeHash old = ShapeHash.of(before);
    Optional<TableHistory> diverted =
        stored(before)
            .map(
                history ->
                    history.with(
                        Optional.of(
                            new Diversion("0/1 0/1 0", old, old, Lsn.parse("0/1"), false))));
    for (DriftPolicy policy : DriftPolicy.values()) {
      DriftDecision decision = decide(policy, diverted, after);
      assertThat(decision.diverts()).as(what).isTrue();
      assertThat(decision.halts())
          .as(what)
          .isEqualTo(policy == DriftPolicy.HALT || (policy == DriftPolicy.EVOLVE && !accepted));
      assertThat(decision.events())
          .extracting(DriftEvent::action)
          .containsOnly(decision.halts() ? "halted" : "diverted");
    }
  }

  @Test
  void evolveTakesAnAdditionForUnprovenWhenOnlyTheHashIsLeft() {
    Shape before = shape(7, ReplicaIdentity.DEFAULT, ID);
    String hashOnly =
        "{\"v\":1,\"tables\":{\"public.t\":{\"versions\":[{\"h\":\""
            + ShapeHash.of(before).hex()
            + "\",\"lsn\":\"0/1\"}]}}}";
    Optional<TableHistory> history = SchemaHistory.read(hashOnly).table(TABLE);
    Shape after = shape(7, ReplicaIdentity.DEFAULT, ID, A);
    assertThat(decide(DriftPolicy.EVOLVE, history, after).halts()).isTrue();
    assertThat(decide(DriftPolicy.EVOLVE, history, before)).isEqualTo(DriftDecision.NOTHING);
  }

  @ParameterizedTest
  @EnumSource(DriftPolicy.class)
  void aBaselineAndTheSameShapeHaltNobody(DriftPolicy policy) {
    Shape shape = shape(7, ReplicaIdentity.DEFAULT, ID);
    DriftDecision first = decide(policy, Optional.empty(), shape);
    assertThat(first.halts()).isFalse();
    assertThat(first.diverts()).isFalse();
    assertThat(first.events()).extracting(DriftEvent::action).containsExactly("reported");
    assertThat(decide(policy, stored(shape), shape)).isEqualTo(DriftDecision.NOTHING);
  }

  private static DriftDecision decide(
      DriftPolicy policy, Optional<TableHistory> history, Shape after) {
    return new DriftDetector(policy)
        .compare(
            history,
            new DecidingChange(
                after, ShapeHash.of(after), Lsn.parse("0/2"), 9, Occurrence.ACROSS_RESTART),
            Optional.empty());
  }

  private static Optional<TableHistory> stored(Shape shape) {
    TableHistory history = TableHistory.first(shape, ShapeHash.of(shape), Lsn.parse("0/1"));
    // Through the stored form, as after a restart.
    String json = SchemaHistory.empty().with(TABLE, history, new HistoryLimits(10, 1 << 20)).json();
    return SchemaHistory.read(json).table(TABLE);
  }

  private static Shape shape(long oid, ReplicaIdentity identity, ColumnShape... columns) {
    return new Shape(TABLE, oid, identity, List.of(columns));
  }
}
