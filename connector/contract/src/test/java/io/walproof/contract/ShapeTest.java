package io.walproof.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShapeTest {

  /** pg_class.relreplident, as PostgreSQL documents it. */
  @ParameterizedTest
  @CsvSource({"d,DEFAULT", "n,NOTHING", "f,FULL", "i,INDEX"})
  void aReplicaIdentityHasItsLetter(char code, ReplicaIdentity identity) {
    assertThat(ReplicaIdentity.of(code)).isEqualTo(identity);
    assertThat(identity.code()).isEqualTo(code);
  }

  @Test
  void anotherLetterIsRefused() {
    assertThatThrownBy(() -> ReplicaIdentity.of('x')).isInstanceOf(IllegalArgumentException.class);
  }

  /** An OID has 32 bits without sign, and 0 is none. */
  @ParameterizedTest
  @ValueSource(longs = {1, 0x7FFFFFFFL, 0x80000000L, 0xFFFFFFFFL})
  void everyOidIsTaken(long oid) {
    assertThat(new ColumnShape("c", oid, null, -1, false).typeOid()).isEqualTo(oid);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 0x100000000L})
  void whatIsNoOidIsRefused(long oid) {
    assertThatThrownBy(() -> new ColumnShape("c", oid, null, -1, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Long.toString(oid));
  }
}
