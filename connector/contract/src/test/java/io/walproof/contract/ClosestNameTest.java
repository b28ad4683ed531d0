package io.walproof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClosestNameTest {

  @Test
  void countsEdits() {
    assertThat(ClosestName.distance("", "abc")).isEqualTo(3);
    assertThat(ClosestName.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(ClosestName.distance("slot.nmae", "slot.name")).isEqualTo(1);
    assertThat(ClosestName.distance("same", "same")).isZero();
  }

  @Test
  void suggestsTheNearestAndNothingThatIsFarAway() {
    List<String> names = List.of("verify.settle.ms", "verify.read.timeout.ms", "state.dir");
    assertThat(ClosestName.to("verify.setle.ms", names)).contains("verify.settle.ms");
    assertThat(ClosestName.to("state_dir", names)).contains("state.dir");
    assertThat(ClosestName.to("publication.name", names)).isEmpty();
    assertThat(ClosestName.to("x", List.of())).isEmpty();
  }
}
