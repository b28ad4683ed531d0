package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DutyCycleTest {

  @Test
  void restsSoThatWorkIsItsPartOfTheTime() {
    Duration work = Duration.ofMillis(100);
    assertThat(new DutyCycle(Time.system(), 0.5).rest(work)).isEqualTo(work);
    assertThat(new DutyCycle(Time.system(), 0.25).rest(work)).isEqualTo(Duration.ofMillis(300));
    assertThat(new DutyCycle(Time.system(), 1).rest(work)).isZero();
  }
}
