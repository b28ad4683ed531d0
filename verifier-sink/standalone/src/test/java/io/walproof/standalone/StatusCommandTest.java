package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatusCommandTest {

  @Test
  void aLimitIsASettingWithinItsBounds() {
    ObservedRun.Printed unknown =
        ObservedRun.command("status", "--file", "absent", "--limit", "status.nothing=3");
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.err()).contains("--limit status.nothing is none of", "status.tables.max");
    for (String wrong : new String[] {"0", "100001", "many"}) {
      ObservedRun.Printed refused =
          ObservedRun.command(
              "status", "--file", "absent", "--limit", "status.tables.max=" + wrong);
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.err()).contains("--limit status.tables.max", "1 to 100000");
    }
  }
}
