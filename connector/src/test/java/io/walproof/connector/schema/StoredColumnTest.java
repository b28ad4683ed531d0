package io.walproof.connector.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.connector.schema.TypeModifier.IntervalField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A type for people, as PostgreSQL's {@code format_type(oid, typmod)} prints it. */
class StoredColumnTest {

  @ParameterizedTest
  @CsvSource({
    "oid:23, -1, integer",
    "oid:1043, -1, character varying",
    "oid:1043, 14, character varying(10)",
    "oid:1042, 9, character(5)",
    "oid:1042, -1, bpchar",
    "oid:1560, 3, bit(3)",
    "oid:1562, 8, bit varying(8)",
    "oid:1700, -1, numeric",
    "oid:1700, 655366, 'numeric(10,2)'",
    "oid:1700, 133121, 'numeric(2,-3)'",
    "oid:1114, 3, timestamp(3) without time zone",
    "oid:1184, 0, timestamp(0) with time zone",
    "oid:1083, 6, time(6) without time zone",
    "oid:1266, 2, time(2) with time zone",
    "oid:1186, -1, interval",
    "oid:1186, 2147418115, interval(3)",
    "oid:1186, 327679, interval year",
    "oid:1186, 458751, interval year to month",
    "oid:1186, 67174399, interval hour",
    "oid:1186, 201916415, interval day to minute",
    "oid:1186, 470286339, interval day to second(3)",
    "oid:1007, -1, integer[]",
    "oid:1015, 14, character varying(10)[]",
    "name:public.mood, -1, public.mood",
    // What is not built in, no build knows to print.
    "name:public.geometry, 7, public.geometry(modifier 7)",
    "name:pg_catalog.int4, -1, domain over integer",
    "name:pg_catalog.varchar, 14, domain over character varying(10)",
    "oid:999999, -1, type OID 999999",
  })
  void aTypeIsWrittenAsPostgresqlDoes(String type, int modifier, String text) {
    assertThat(new StoredColumn("c", type, modifier, false).typeText()).isEqualTo(text);
  }

  @Test
  void aTypeIsAnOidOrAName() {
    assertThatThrownBy(() -> new StoredColumn("c", "int4", -1, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new StoredColumn("c", "oid:23", -1, false).typeOid()).isEqualTo(23);
    assertThat(new StoredColumn("c", "name:public.mood", -1, false).typeOid()).isEqualTo(-1);
    assertThat(new StoredColumn("c", "name:pg_catalog.int8", -1, false).valueTypeOid())
        .isEqualTo(20);
  }

  @Test
  void anIntervalKeepsTheFieldsThatItNames() {
    int dayToSecond = 470286339;
    assertThat(TypeModifier.namesFields(dayToSecond)).isTrue();
    assertThat(TypeModifier.coarsestField(dayToSecond)).isEqualTo(IntervalField.DAY);
    assertThat(TypeModifier.finestField(dayToSecond)).isEqualTo(IntervalField.SECOND);
    assertThat(TypeModifier.intervalPrecision(dayToSecond)).isEqualTo(3);
    assertThat(TypeModifier.intervalPrecision(67174399)).isEqualTo(-1);
  }
}
