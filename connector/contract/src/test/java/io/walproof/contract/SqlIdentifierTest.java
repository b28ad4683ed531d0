package io.walproof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqlIdentifierTest {

  @Test
  void listsAreCutOutsideOfQuotesOnly() {
    assertThat(SqlIdentifier.split(" a.b , \"x,y\".\"q\"\",\" ,", ','))
        .containsExactly("a.b", "\"x,y\".\"q\"\",\"", "");
    assertThat(SqlIdentifier.split("public.\"a.b\".c", '.'))
        .containsExactly("public", "\"a.b\"", "c");
    assertThat(SqlIdentifier.split("one", ',')).containsExactly("one");
    assertThat(SqlIdentifier.split(" \n", ',')).isEmpty();
  }
}
