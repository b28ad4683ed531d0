package io.walproof.verifier.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.RowKey;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LookupKeyTest {

  /** "none": no row can have the key, so the server is not asked. */
  @ParameterizedTest
  @CsvSource({
    "int2, 5, 5",
    "int2, 32767, 32767",
    "int2, 32768, none",
    "int2, -32768, -32768",
    "int2, -32769.00, none",
    "int4, 5.00, 5",
    "int4, 1000.0, 1000",
    "int4, -0.00, 0",
    "int4, 5.50, none",
    "int4, 2147483647.00, 2147483647",
    "int4, 2147483648, none",
    "int4, NaN, none",
    "int4, -Infinity, none",
    "int8, 9223372036854775807, 9223372036854775807",
    "int8, 9223372036854775808, none",
    "int8, -9223372036854775808.0, -9223372036854775808",
    "int4, 1e1000000000, 1e1000000000",
    "int4, text, text",
    "numeric, 5.50, 5.50",
    "text, 5.00, 5.00",
    "numeric, NaN, NaN",
  })
  void aNumberIsWrittenAsTheColumnTakesIt(String type, String text, String expected) {
    LookupKey lookup = new LookupKey(List.of(new TypeName("pg_catalog", type)));
    assertThat(
            lookup
                .texts(new RowKey(List.of(new RowKey.Column("k", text))))
                .map(texts -> texts[0])
                .orElse("none"))
        .isEqualTo(expected);
  }
}
