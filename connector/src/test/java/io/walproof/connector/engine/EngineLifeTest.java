package io.walproof.connector.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Time;
import org.junit.jupiter.api.Test;

class EngineLifeTest {

  private final EngineLife life = new EngineLife(Time.system());

  @Test
  void anEndThatNobodyAskedForIsAFailure() {
    life.polling();
    life.ended();
    assertThat(life.isRunning()).isFalse();
    assertThat(life.failure()).get().asString().contains("ended by itself");
  }

  @Test
  void anEndThatWasAskedForIsNone() {
    life.polling();
    assertThat(life.beginClosing()).isTrue();
    life.ended();
    assertThat(life.failure()).isEmpty();
  }
}
