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

  @Test
  void ofEquallyNearNamesTheFirstInOrderIsMeant() {
    assertThat(ClosestName.to("cat", List.of("hat", "bat", "rat"))).contains("bat");
    assertThat(ClosestName.to("cat", List.of("bat", "cat", "hat"))).contains("cat");
  }

  /** Two edits, or a quarter of the letters. */
  @Test
  void aMisspellingHasFewEdits() {
    assertThat(ClosestName.to("abc", List.of("axy"))).contains("axy");
    assertThat(ClosestName.to("abc", List.of("xyz"))).isEmpty();
    assertThat(ClosestName.to("abc", List.of("xyz", "axy"))).contains("axy");
    assertThat(ClosestName.to("cat", List.of("bat", "hat"))).contains("bat");
    assertThat(ClosestName.to("abcdefghijkl", List.of("abcdefghixyz"))).isPresent();
    assertThat(ClosestName.to("abcdefghijkl", List.of("abcdefghwxyz"))).isEmpty();
  }
}
