package io.walproof.verifier.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.embedded.PostgresServer;
import io.walproof.verifier.assembly.AssembledRangeCheck;
import io.walproof.verifier.assembly.VerifierSettings;
import io.walproof.verifier.audit.AuditLog;
import io.walproof.verifier.core.VerifierLimits;
import io.walproof.verifier.database.DatabaseSettings;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Side;
import io.walproof.verifier.replay.ConfirmationSettings;
import io.walproof.verifier.replay.ConfirmationStrategy;
import io.walproof.verifier.row.KeyRange;
import io.walproof.verifier.row.RowSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One server with two databases that sort text differently, and range checks between them. */
final class RangeFixture implements AutoCloseable {

  static final String HERE = "here";
  static final String THERE = "there";

  final PostgresServer server;
  final List<AuditEntry> audit = Collections.synchronizedList(new ArrayList<>());
  private final Path ledgers;

  RangeFixture(Path ledgers) throws SQLException {
    this.ledgers = ledgers;
    server = PostgresServer.builder().setting("max_connections", "40").start();
    server.execute(
        "postgres",
        "CREATE DATABASE here",
        "CREATE DATABASE there TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"
            + " LOCALE 'C.UTF-8'");
  }

  void onSource(String... sql) throws SQLException {
    server.execute(HERE, sql);
  }

  void onTarget(String... sql) throws SQLException {
    server.execute(THERE, sql);
  }

  void onBoth(String... sql) throws SQLException {
    onSource(sql);
    onTarget(sql);
  }

  static RangeLimits limits(int chunkRows) {
    return limits(chunkRows, DigestPlace.CLIENT, 1.0);
  }

  static RangeLimits limits(int chunkRows, DigestPlace digest, double dutyCycle) {
    return new RangeLimits(
        chunkRows,
        1 << 26,
        dutyCycle,
        Duration.ofSeconds(60),
        Duration.ofSeconds(10),
        500,
        digest,
        Duration.ofHours(1),
        50);
  }

  static Claim whole(String table) {
    return Claim.whole(TableId.parse(table));
  }

  static Claim between(String table, List<String> from, List<String> to) {
    return new Claim(
        TableId.parse(table),
        new KeyRange(
            Optional.ofNullable(from).map(key -> new KeyRange.Bound(key, true)),
            Optional.ofNullable(to).map(key -> new KeyRange.Bound(key, true))),
        Claim.Origin.REQUEST);
  }

  /** By digests made here, and by the servers: the verdicts are the same. */
  RangeResult check(int chunkRows, Claim claim) throws Exception {
    List<Claim> claims = List.of(claim);
    RangeResult client = check(limits(chunkRows), claims, new Cancellation()).get(0);
    RangeResult server =
        check(limits(chunkRows, DigestPlace.SERVER, 1.0), claims, new Cancellation()).get(0);
    assertThat(server.outcome()).isEqualTo(client.outcome());
    assertThat(named(server)).isEqualTo(named(client));
    assertThat(server.progress().rows()).isEqualTo(client.progress().rows());
    return client;
  }

  private static Map<String, Set<String>> named(RangeResult result) {
    Map<String, Set<String>> named = new TreeMap<>();
    result.keys().byOutcome().forEach((o, names) -> named.put(o, texts(names.named())));
    named.put("target only " + result.targetOnly().count(), targetOnly(result));
    return named;
  }

  List<RangeResult> check(RangeLimits limits, List<Claim> claims, Cancellation cancel)
      throws Exception {
    return check(limits, claims, cancel, there(PostgresServer.SUPERUSER));
  }

  /** The target, for a role. */
  DatabaseSettings there(String user) {
    return DatabaseSettings.of(Side.TARGET, server.jdbcUrl(THERE), user, "");
  }

  /** The source, for the owner of everything. */
  DatabaseSettings here() {
    return DatabaseSettings.of(Side.SOURCE, server.jdbcUrl(HERE), PostgresServer.SUPERUSER, "");
  }

  List<RangeResult> check(
      RangeLimits limits, List<Claim> claims, Cancellation cancel, DatabaseSettings target)
      throws Exception {
    AssembledRangeCheck assembled = start(limits, here(), target, ConfirmationStrategy.NONE);
    try {
      return assembled
          .check()
          .run(claims, Deadline.in(Time.system(), Duration.ofMinutes(5)), cancel);
    } finally {
      assembled.stop(Duration.ofSeconds(10));
    }
  }

  AssembledRangeCheck start(
      RangeLimits limits,
      DatabaseSettings source,
      DatabaseSettings target,
      ConfirmationStrategy strategy) {
    AuditLog log =
        new AuditLog() {
          @Override
          public void append(List<AuditEntry> entries) {
            audit.addAll(entries);
          }

          @Override
          public void close() {}
        };
    return start(limits, source, target, strategy, ledgers, log);
  }

  static AssembledRangeCheck start(
      RangeLimits limits,
      DatabaseSettings source,
      DatabaseSettings target,
      ConfirmationStrategy strategy,
      Path ledgers,
      AuditLog audit) {
    return AssembledRangeCheck.start(
        new VerifierSettings(
            source,
            target,
            RowSettings.defaults(),
            ConfirmationSettings.of(strategy),
            new VerifierLimits(
                Duration.ZERO,
                Duration.ZERO,
                5_000,
                Duration.ofSeconds(10),
                Duration.ZERO,
                Duration.ofSeconds(30),
                100_000,
                Set.of()),
            RouteNames.SUBSCRIPTIONS,
            Map.of()),
        limits,
        ledgers,
        false,
        audit,
        Time.system());
  }

  /** The named keys of an outcome, each as its texts with commas between. */
  static Set<String> keys(RangeResult result, String outcome) {
    return texts(result.keys().byOutcome().getOrDefault(outcome, RangeResult.Names.NONE).named());
  }

  static Set<String> targetOnly(RangeResult result) {
    return texts(result.targetOnly().named());
  }

  private static Set<String> texts(List<RowKey> keys) {
    return keys.stream()
        .map(key -> String.join(",", key.texts()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static List<String> list(String... texts) {
    return Arrays.asList(texts);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
