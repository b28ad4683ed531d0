package io.walproof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LsnTest {

  @Test
  void readsAndWritesAsPostgresDoes() {
    assertThat(Lsn.parse("0/16B3748")).isEqualTo(new Lsn(0x16B3748L)).hasToString("0/16B3748");
    assertThat(Lsn.parse("FFFFFFFF/FFFFFFFF")).isEqualTo(new Lsn(-1));
  }

  @Test
  void comparesUnsigned() {
    assertThat(Lsn.parse("80000000/0").hasPassed(Lsn.parse("7FFFFFFF/FFFFFFFF"))).isTrue();
    assertThat(Lsn.max(Lsn.parse("80000000/0"), Lsn.parse("1/0")))
        .isEqualTo(Lsn.parse("80000000/0"));
    assertThat(Lsn.min(Lsn.parse("80000000/0"), Lsn.parse("1/0"))).isEqualTo(Lsn.parse("1/0"));
  }

  /** A boundary is passed where it is reached, and not a byte before. */
  @Test
  void whatIsReachedIsPassed() {
    Lsn boundary = Lsn.parse("1/0");
    assertThat(boundary.hasPassed(boundary)).isTrue();
    assertThat(Lsn.parse("0/FFFFFFFF").hasPassed(boundary)).isFalse();
    assertThat(Lsn.parse("1/1").hasPassed(boundary)).isTrue();
  }

  @Property
  void everyValueSurvivesTheRoundTrip(@ForAll long value) {
    assertThat(Lsn.parse(new Lsn(value).toString())).isEqualTo(new Lsn(value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "/", "0/", "/0", "0/123456789", "g/0", "0/0 ", "-1/0"})
  void refusesWhatIsNoLsn(String text) {
    assertThatThrownBy(() -> Lsn.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
