package io.walproof.connector.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.connector.schema.StoredColumn;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NarrowingTest {

  /**
   * numeric(p,s)'s modifier is (p << 16 | s & 0x7ff) + 4, an interval's its fields << 16 |
   * precision.
   */
  @ParameterizedTest(name = "{4}: {5}")
  @CsvSource({
    "1043, 14, 1043, 24, varchar(10) to varchar(20), false",
    "1043, 24, 1043, 14, varchar(20) to varchar(10), true",
    "1043, 14, 1043, -1, varchar(10) to varchar, false",
    "1043, -1, 1043, 14, varchar to varchar(10), true",
    "1042, 9, 1042, 14, char(5) to char(10), false",
    "1042, 14, 1042, 9, char(10) to char(5), true",
    "1560, 5, 1560, 8, bit(5) to bit(8), true",
    "1562, 5, 1562, 8, varbit(5) to varbit(8), false",
    "1562, 8, 1562, 5, varbit(8) to varbit(5), true",
    "1700, 655366, 1700, 786438, 'numeric(10,2) to numeric(12,2)', false",
    "1700, 786438, 1700, 655366, 'numeric(12,2) to numeric(10,2)', true",
    "1700, 655366, 1700, 786440, 'numeric(10,2) to numeric(12,4)', false",
    "1700, 655366, 1700, 655368, 'numeric(10,2) to numeric(10,4)', true",
    "1700, 655366, 1700, 655365, 'numeric(10,2) to numeric(10,1)', true",
    "1700, 655366, 1700, -1, 'numeric(10,2) to numeric', false",
    "1700, -1, 1700, 655366, 'numeric to numeric(10,2)', true",
    "1700, 133121, 1700, 196612, 'numeric(2,-3) to numeric(3,0)', true",
    "1700, 133121, 1700, 327684, 'numeric(2,-3) to numeric(5,0)', false",
    "1114, 3, 1114, 6, timestamp(3) to timestamp(6), false",
    "1114, -1, 1114, 6, timestamp to timestamp(6), false",
    "1114, -1, 1114, 3, timestamp to timestamp(3), true",
    "1184, 3, 1184, -1, timestamptz(3) to timestamptz, false",
    "1186, -1, 1186, 3, interval to a limited one, true",
    "1186, 3, 1186, -1, a limited interval to interval, false",
    "21, -1, 23, -1, smallint to integer, false",
    "23, -1, 21, -1, integer to smallint, true",
    "23, -1, 20, -1, integer to bigint, false",
    "20, -1, 23, -1, bigint to integer, true",
    "700, -1, 701, -1, real to double precision, false",
    "701, -1, 700, -1, double precision to real, true",
    "23, -1, 701, -1, integer to double precision, false",
    "20, -1, 701, -1, bigint to double precision, true",
    "23, -1, 700, -1, integer to real, true",
    "21, -1, 700, -1, smallint to real, false",
    "20, -1, 1700, -1, bigint to numeric, false",
    "20, -1, 1700, 1245188, 'bigint to numeric(19,0)', false",
    "20, -1, 1700, 655366, 'bigint to numeric(10,2)', true",
    "23, -1, 25, -1, integer to text, false",
    "23, -1, 1043, -1, integer to varchar, false",
    "23, -1, 1043, 24, integer to varchar(20), false",
    "23, -1, 1043, 14, integer to varchar(10), true",
    "1042, 9, 1043, 9, char(5) to varchar(5), false",
    "1043, 9, 1042, 9, varchar(5) to char(5), true",
    "17, -1, 25, -1, bytea to text, true",
    "25, -1, 23, -1, text to integer, true",
    "114, -1, 3802, -1, json to jsonb, true",
    "1114, -1, 1184, -1, timestamp to timestamptz, true",
    "1560, 5, 1562, 5, bit(5) to varbit(5), false",
    "1560, 5, 1562, 4, bit(5) to varbit(4), true",
    "1560, 5, 1562, -1, bit(5) to varbit, false",
    "23, -1, 1562, -1, integer to varbit, true",
    "23, -1, 1700, 786438, 'integer to numeric(12,2)', false",
    "23, -1, 1700, 720902, 'integer to numeric(11,2)', true",
    "21, -1, 1700, 657410, 'smallint to numeric(10,-2)', true",
    "1186, 2147418115, 1186, 2147418118, interval(3) to interval(6), false",
    "1186, 2147418118, 1186, 2147418115, interval(6) to interval(3), true",
    "1186, -1, 1186, 2147418118, interval to interval(6), false",
    "1186, -1, 1186, 2147418115, interval to interval(3), true",
    "1186, 67174399, 1186, 134283263, interval hour to interval minute, false",
    "1186, 134283263, 1186, 67174399, interval minute to interval hour, true",
    "1186, 67174399, 1186, 2147418112, interval hour to interval(0), false",
    "1007, -1, 1016, -1, integer[] to bigint[], false",
    "1016, -1, 1007, -1, bigint[] to integer[], true",
    "1015, 14, 1015, 24, varchar(10)[] to varchar(20)[], false",
    "1015, 24, 1015, 14, varchar(20)[] to varchar(10)[], true",
    "1001, -1, 1009, -1, bytea[] to text[], true",
    "1001, -1, 25, -1, bytea[] to text, true",
    "1007, -1, 1009, -1, integer[] to text[], false",
    "1007, -1, 20, -1, integer[] to bigint, true",
    "23, -1, 1016, -1, integer to bigint[], true",
    "3000000000, 10, 3000000000, 11, another modifier of no built-in type, true",
    "3000000000, -1, 23, -1, no built-in type to integer, true",
    "23, -1, 3000000000, -1, integer to no built-in type, true",
    "16, -1, 23, -1, boolean to integer, true"
  })
  void theTable(
      long from, int fromModifier, long to, int toModifier, String what, boolean narrowing) {
    assertThat(
            Narrowing.between(
                new StoredColumn("c", "oid:" + from, fromModifier, false),
                new StoredColumn("c", "oid:" + to, toModifier, false)))
        .as(what)
        .isEqualTo(narrowing);
  }

  @ParameterizedTest
  @CsvSource({
    "name:public.mood, oid:25, false",
    "oid:25, name:public.mood, true",
    "name:public.mood, oid:23, true",
    "oid:23, name:pg_catalog.int4, true",
    "name:pg_catalog.int4, oid:23, false",
    "name:pg_catalog.int4, oid:20, false",
    "name:pg_catalog.int8, oid:23, true",
    "name:pg_catalog.int4, name:pg_catalog.int8, true",
    "name:public.mood, name:public.humour, true"
  })
  void userTypes(String from, String to, boolean narrowing) {
    assertThat(
            Narrowing.between(
                new StoredColumn("c", from, -1, false), new StoredColumn("c", to, -1, false)))
        .isEqualTo(narrowing);
  }

  /** A domain over varchar(20). */
  @ParameterizedTest
  @CsvSource({"24, false", "34, false", "-1, false", "14, true"})
  void aDomainsColumnIsJudgedByTheTypeBelow(int after, boolean narrowing) {
    assertThat(
            Narrowing.between(
                new StoredColumn("c", "name:pg_catalog.varchar", 24, false),
                new StoredColumn("c", "oid:1043", after, false)))
        .isEqualTo(narrowing);
  }

  @ParameterizedTest
  @CsvSource({"10, 11, true", "11, 10, true", "10, -1, true"})
  void anUnknownTypesModifierIsNarrowing(int before, int after, boolean narrowing) {
    assertThat(
            Narrowing.between(
                new StoredColumn("c", "name:public.geometry", before, false),
                new StoredColumn("c", "name:public.geometry", after, false)))
        .isEqualTo(narrowing);
  }
}
