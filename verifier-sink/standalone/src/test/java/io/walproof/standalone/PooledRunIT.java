package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.walproof.embedded.PgBouncer;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.verifier.model.AuditEntry.RunStart;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole run whose rows are read, and whose replay is confirmed, through real poolers. */
class PooledRunIT {

  /** In session mode each of ours keeps one: two a side, and some to spare. */
  private static final int CONNECTIONS = 8;

  @TempDir Path dir;

  @Test
  void aRunThroughPoolersInSessionModeFindsWhatItFindsWithoutThem() throws Exception {
    assumeTrue(
        PgBouncer.program().isPresent(), "no pgbouncer is installed: no pooler is tried for real");
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.healthy("pooled_well");
    JoinedPair.lossy("pooled_lost");
    Map<String, String> settings = ObservedRun.settings(pair, dir, "pooled");
    settings.remove("schema.include.list");
    settings.put("table.include.list", "public.pooled_well,public.pooled_lost");
    try (PgBouncer source = pooler(pair.source());
        PgBouncer target = pooler(pair.target())) {
      settings.put("verify.source.jdbc.url", source.jdbcUrl(ReplicatedPair.DATABASE));
      settings.put("verify.target.jdbc.url", target.jdbcUrl(ReplicatedPair.DATABASE));
      try (ObservedRun run = ObservedRun.start(settings)) {
        assertThat(run.entries(RunStart.class).get(0).confirmation()).isEqualTo("subscription");
        pair.onSource(
            "INSERT INTO public.pooled_well SELECT i, 'v' FROM generate_series(1, 500) AS i",
            "INSERT INTO public.pooled_lost VALUES (1, 'v'), (2, 'v')");
        run.awaitSettled("pooled_well", 500);
        run.awaitSettled("pooled_lost", 2);
        assertThat(run.unresolved())
            .hasSize(2)
            .allMatch(failure -> failure.table().equals(ObservedRun.table("pooled_lost")))
            .allMatch(failure -> failure.verdict().equals(new Verdict.Unresolved(Kind.MISSING)));
        assertThat(run.end().outcomes()).doesNotContainKeys("incomplete", "advanced");
      }
    }
  }

  private static PgBouncer pooler(PostgresServer server) throws Exception {
    return PgBouncer.start(
        server, PgBouncer.Mode.SESSION, CONNECTIONS, List.of(PostgresServer.SUPERUSER));
  }
}
