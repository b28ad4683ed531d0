package io.walproof.verifier.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SqlFailureTest {

  @Test
  void statesAreToldApart() {
    Map<String, SqlFailure> expected =
        Map.ofEntries(
            Map.entry("08006", SqlFailure.CONNECTION),
            Map.entry("57P01", SqlFailure.CONNECTION),
            Map.entry("25P03", SqlFailure.CONNECTION),
            Map.entry("57P03", SqlFailure.PASSING),
            Map.entry("40001", SqlFailure.PASSING),
            Map.entry("55P03", SqlFailure.PASSING),
            Map.entry("57014", SqlFailure.CANCELLED),
            Map.entry("28P01", SqlFailure.REFUSED),
            Map.entry("3D000", SqlFailure.REFUSED),
            Map.entry("42501", SqlFailure.PERMISSION),
            Map.entry("42P01", SqlFailure.CATALOG),
            Map.entry("0A000", SqlFailure.CATALOG),
            Map.entry("22P02", SqlFailure.DATA),
            Map.entry("XX001", SqlFailure.DATA),
            Map.entry("54000", SqlFailure.DATA),
            Map.entry("XX000", SqlFailure.INTERNAL),
            Map.entry("99999", SqlFailure.OTHER));
    expected.forEach(
        (state, failure) ->
            assertThat(SqlFailure.of(new SQLException("x", state))).as(state).isEqualTo(failure));
  }

  @Test
  void aPoolsTimeoutMeansWhatItsCauseMeans() {
    assertThat(SqlFailure.of(new SQLTransientConnectionException("none free")))
        .isEqualTo(SqlFailure.CONNECTION);
    assertThat(
            SqlFailure.of(new SQLTransientConnectionException("x", new SQLException("x", "28P01"))))
        .isEqualTo(SqlFailure.REFUSED);
  }

  @Test
  void onlyWhatIsKnownToPassIsRetried() {
    for (SqlFailure failure : SqlFailure.values()) {
      assertThat(failure.mayPass())
          .isEqualTo(failure == SqlFailure.CONNECTION || failure == SqlFailure.PASSING);
    }
  }
}
