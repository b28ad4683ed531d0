package io.walproof.standalone.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.standalone.ExitStatus;
import io.walproof.verifier.model.Coverage;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunStatusTest {

  @Test
  void onlyWhatWasJudgedIsClean() {
    assertThat(status(Map.of("matched", 2L, "converged", 1L), Map.of("source_absent", 4L), 0))
        .isEqualTo(ExitStatus.CLEAN);
    assertThat(status(Map.of("matched", 2L), Map.of("truncate", 1L), 0))
        .isEqualTo(ExitStatus.INCOMPLETE);
    assertThat(status(Map.of("incomplete", 1L), Map.of(), 0)).isEqualTo(ExitStatus.INCOMPLETE);
  }

  @Test
  void aRunThatEndsWithPendingKeysIsNotClean() {
    assertThat(status(Map.of("matched", 2L), Map.of(), 1)).isEqualTo(ExitStatus.INCOMPLETE);
  }

  @Test
  void aFailureOutweighsWhatIsIncomplete() {
    assertThat(status(Map.of("unresolved_missing", 1L, "incomplete", 1L), Map.of(), 1))
        .isEqualTo(ExitStatus.FAILURES);
  }

  @Test
  void gapsAndColumnsThatAreNotComparedAreNotClean() {
    Coverage nothing = new Coverage(0, 0, 0, Map.of(), 0, Map.of());
    assertThat(RunStatus.of(nothing, 0, 0)).isEqualTo(ExitStatus.CLEAN);
    assertThat(RunStatus.of(nothing, 1, 0)).isEqualTo(ExitStatus.INCOMPLETE);
    assertThat(RunStatus.of(nothing, 0, 1)).isEqualTo(ExitStatus.INCOMPLETE);
  }

  private static ExitStatus status(
      Map<String, Long> outcomes, Map<String, Long> skipped, long pending) {
    long checked = outcomes.values().stream().mapToLong(Long::longValue).sum();
    long left = skipped.values().stream().mapToLong(Long::longValue).sum();
    return RunStatus.of(
        new Coverage(checked + left + pending, checked, 0, skipped, pending, outcomes), 0, 0);
  }
}
