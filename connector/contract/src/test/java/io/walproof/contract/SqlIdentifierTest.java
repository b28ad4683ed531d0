package io.walproof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlIdentifierTest {

  @Test
  void namesInAListStayApart() {
    assertThat(SqlIdentifier.list(List.of("id", "K,1", "b c", "User", "user")))
        .isEqualTo("id, \"K,1\", \"b c\", \"User\", \"user\"");
    assertThat(SqlIdentifier.list(List.of())).isEmpty();
  }

  @Test
  void listsAreCutOutsideOfQuotesOnly() {
    assertThat(SqlIdentifier.split(" a.b , \"x,y\".\"q\"\",\" ,", ','))
        .containsExactly("a.b", "\"x,y\".\"q\"\",\"", "");
    assertThat(SqlIdentifier.split("public.\"a.b\".c", '.'))
        .containsExactly("public", "\"a.b\"", "c");
    assertThat(SqlIdentifier.split("one", ',')).containsExactly("one");
    assertThat(SqlIdentifier.split(" \n", ',')).isEmpty();
  }

  @Test
  void whatNoCatalogHoldsIsRefused() {
    for (String name : List.of("", "\0", "a\0", "\0a")) {
      assertThatThrownBy(() -> SqlIdentifier.quoted(name))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
