package io.walproof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowKeyTest {

  private static final RowKey KEY =
      new RowKey(List.of(new RowKey.Column("Region", "north east"), new RowKey.Column("id", "7")));

  @Test
  void namesAndTextsKeepTheirOrder() {
    assertThat(KEY.names()).containsExactly("Region", "id");
    assertThat(KEY.texts()).containsExactly("north east", "7");
    assertThat(KEY.asMap())
        .containsExactly(Map.entry("Region", "north east"), Map.entry("id", "7"));
  }

  @Test
  void onlyWhatIsMadeForPeopleHoldsValues() {
    assertThat(KEY.display()).isEqualTo("\"Region\"=north east id=7");
    assertThat(KEY).hasToString("key[Region, id]");
    assertThat(KEY.columns().get(1)).hasToString("id");
  }

  @Test
  void nothingIsNoKey() {
    assertThatThrownBy(() -> new RowKey(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RowKey.Column("id", null))
        .isInstanceOf(NullPointerException.class);
  }
}
