package io.walproof.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.DriftEvent;
import io.walproof.contract.DriftEvent.ColumnChange;
import io.walproof.contract.DriftEvent.Kind;
import io.walproof.contract.DriftEvent.Occurrence;
import io.walproof.contract.Lsn;
import io.walproof.contract.ShapeHash;
import io.walproof.contract.TableId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Version 1 of a drift event on a topic (invariant K). */
class DriftRecordTest {

  private static final Golden FIRST = vectors().get(0);

  static List<Golden> vectors() {
    try {
      return Golden.read("drift-v1.json");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void theFormIsPinned(Golden golden) throws IOException {
    DriftEvent event = DriftRecord.of(golden.value());
    assertThat(Golden.normal(DriftRecord.value(event))).isEqualTo(Golden.normal(golden.value()));
    assertThat(Golden.normal(DriftRecord.key(event))).isEqualTo(Golden.normal(golden.key()));
  }

  /** What operators act on, and what leaves changes unjudged. */
  @Test
  void aBaselineAndAnAcceptanceAreNoDrift() {
    Set<Kind> drift = EnumSet.noneOf(Kind.class);
    Set<Kind> gaps = EnumSet.noneOf(Kind.class);
    for (Kind kind : Kind.values()) {
      DriftEvent event =
          new DriftEvent(
              kind,
              Occurrence.IN_PROCESS,
              Optional.empty(),
              Lsn.NONE,
              0,
              Optional.empty(),
              Optional.empty(),
              List.of(),
              Optional.empty(),
              "report",
              "none",
              "");
      if (event.isDrift()) {
        drift.add(kind);
      }
      if (event.isGap()) {
        gaps.add(kind);
      }
    }
    assertThat(drift)
        .isEqualTo(EnumSet.complementOf(EnumSet.of(Kind.INITIAL, Kind.SHAPE_ACCEPTED)));
    assertThat(gaps).isEqualTo(EnumSet.of(Kind.GAP, Kind.NOTHING_DELIVERED));
  }

  @Test
  void theMeaningIsPinned() {
    assertThat(DriftRecord.of(FIRST.value()))
        .isEqualTo(
            new DriftEvent(
                Kind.SHAPE_CHANGED,
                Occurrence.ACROSS_RESTART,
                Optional.of(new TableId("public", "orders")),
                Lsn.parse("0/16AE748"),
                812,
                Optional.of(new ShapeHash("0123456789abcdef0123456789abcdef")),
                Optional.of(new ShapeHash("fedcba9876543210fedcba9876543210")),
                List.of(
                    new ColumnChange("total", ColumnChange.What.TYPE_MODIFIER, "14", "24", false),
                    new ColumnChange("note", ColumnChange.What.REMOVED, "text", "", true)),
                Optional.of(true),
                "report",
                "reported",
                "columns changed"));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyKindHasAWord(Kind kind) {
    DriftEvent first = DriftRecord.of(FIRST.value());
    for (Occurrence occurrence : Occurrence.values()) {
      DriftEvent event =
          new DriftEvent(
              kind,
              occurrence,
              first.table(),
              first.lsn(),
              0,
              Optional.empty(),
              Optional.empty(),
              List.of(),
              Optional.of(false),
              "report",
              "reported",
              "");
      assertThat(DriftRecord.of(DriftRecord.value(event))).isEqualTo(event);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"v", "kind", "occurrence", "lsn", "txid", "changes", "policy", "action", "detail"})
  void aMissingFieldIsNamed(String field) {
    assertThatThrownBy(() -> DriftRecord.of(FIRST.with(field, null)))
        .isInstanceOf(TopicFormatException.class)
        .hasMessageContaining("'" + field + "'");
  }

  @Test
  void aGapsBeginningIsReadAsUnsigned() {
    DriftEvent gap = DriftRecord.of(vectors().get(1).value());
    assertThat(gap.from()).contains(Lsn.parse("FFFFFFFF/FFFFFFFB"));
    assertThat(gap.lsn()).isGreaterThan(gap.from().orElseThrow());
  }

  @Test
  void anEventOfABuildBeforeTheBeginningIsReadWithout() {
    assertThat(DriftRecord.of(vectors().get(1).with("from", null)).from()).isEmpty();
  }

  @Test
  void whatIsMalformedIsRefused() {
    assertThatThrownBy(() -> DriftRecord.of(FIRST.with("kind", "SHAPE_CHANGED")))
        .isInstanceOf(TopicFormatException.class)
        .hasMessageContaining("kind");
    assertThatThrownBy(() -> DriftRecord.of(FIRST.with("table", null)))
        .isInstanceOf(TopicFormatException.class)
        .hasMessageContaining("half a table");
    assertThatThrownBy(() -> DriftRecord.of(FIRST.with("current", "4711")))
        .isInstanceOf(TopicFormatException.class)
        .hasMessageNotContaining("4711");
    assertThatThrownBy(() -> DriftRecord.of(FIRST.with("changes", List.of(Map.of()))))
        .isInstanceOf(TopicFormatException.class)
        .hasMessageContaining("column");
    Map<String, Object> change =
        Map.of("column", "id", "what", "type", "before", "a", "after", "b", "narrowing", true);
    assertThat(DriftRecord.of(FIRST.with("changes", List.of(change))).changes())
        .containsExactly(new ColumnChange("id", ColumnChange.What.TYPE, "a", "b", true));
    for (String field : change.keySet()) {
      Map<String, Object> partial = new java.util.HashMap<>(change);
      partial.remove(field);
      assertThatThrownBy(() -> DriftRecord.of(FIRST.with("changes", List.of(partial))))
          .isInstanceOf(TopicFormatException.class)
          .hasMessageContaining("'" + field + "'");
    }
    assertThatThrownBy(() -> DriftRecord.of(FIRST.with("v", 2)))
        .isInstanceOf(TopicFormatException.class)
        .hasMessageContaining("version 2");
  }

  @Test
  void whatIsDoneAboutAnEventAndWhatChangedAreAddedLater() {
    DriftEvent event = DriftRecord.of(FIRST.value());
    DriftEvent halted = event.withAction("halted", "the task stops");
    assertThat(halted.action()).isEqualTo("halted");
    assertThat(halted.detail()).isEqualTo("the task stops");
    assertThat(halted.withAction(event.action(), event.detail())).isEqualTo(event);
    ColumnChange change = new ColumnChange("id", ColumnChange.What.KEY, "", "key", false);
    DriftEvent changed = event.withChanges(List.of(change), "the key changed");
    assertThat(changed.changes()).containsExactly(change);
    assertThat(changed.detail()).isEqualTo("the key changed");
    assertThat(changed.withChanges(event.changes(), event.detail())).isEqualTo(event);
  }
}
