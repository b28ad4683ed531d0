package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpServer;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Claims from the offsets of a real Debezium incremental snapshot that was killed in its middle.
 */
class ClaimedOffsetsIT {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Which tables the snapshot copies. */
  private static final String[] COPIED = {"--table", "public.first", "--table", "public.second"};

  @TempDir Path directory;

  @Test
  void aCursorsClaimIsChecked() throws Exception {
    try (ReplicatedPair pair =
        ReplicatedPair.start(PostgresServer.builder(), PostgresServer.builder())) {
      for (String table : List.of("first", "second", "third")) {
        pair.onBoth("CREATE TABLE public." + table + " (id int PRIMARY KEY, v text)");
        pair.onSource(
            "INSERT INTO public."
                + table
                + " SELECT i, 'v' || i FROM generate_series(1, "
                + (table.equals("second") ? 5000 : 200)
                + ") AS i");
      }
      pair.onSource(SnapshotPipeline.SIGNALS);
      Path offsets = directory.resolve("offsets.dat");
      killInTheMiddle(pair, offsets);

      Operated operated =
          new Operated(pair, directory, "claims", "public\\.(first|second|third)")
              .with("verify.replay.confirmation", "none")
              .with("verify.settle.ms", "0")
              .with("verify.recheck.delay.ms", "0");
      // Before the incremental snapshot; nothing was copied, and nothing of it is in the offset.
      Path streaming = directory.resolve("streaming.dat");
      Operated.Outcome unsaid = check(operated, streaming.toString());
      assertThat(unsaid.status()).as(unsaid.out() + unsaid.err()).isEqualTo(1);
      assertThat(unsaid.err()).contains("no_data", "--claim-initial-snapshot");
      Operated.Outcome said =
          check(
              operated,
              streaming.toString(),
              "--claim-initial-snapshot",
              "--table",
              "public.third");
      assertThat(said.status()).as(said.out() + said.err()).isEqualTo(2);
      assertThat(names(said)).containsExactly("third");
      assertThat(table(said, "third").path("claim").path("origin").asText())
          .isEqualTo("snapshot_completed");

      Operated.Outcome untold = check(operated, offsets.toString());
      assertThat(untold.status()).as(untold.out() + untold.err()).isEqualTo(3);
      assertThat(names(untold)).containsExactlyInAnyOrder("first", "second");
      assertThat(table(untold, "first").path("reason").asText()).isEqualTo("not_claimed");
      assertThat(table(untold, "second").path("outcome").asText()).isEqualTo("proved");
      Operated.Outcome held = check(operated, offsets.toString(), COPIED);
      assertThat(held.status()).as(held.out() + held.err()).isZero();
      JsonNode claim = table(held, "second").path("claim");
      assertThat(claim.path("origin").asText()).isEqualTo("snapshot_cursor");
      int cursor = Integer.parseInt(claim.path("to").path("key").path(0).asText());
      assertThat(cursor).isBetween(100, 4_999);
      assertThat(table(held, "second").path("coverage").path("rows").asInt()).isEqualTo(cursor);
      assertThat(table(held, "first").path("coverage").path("rows").asInt()).isEqualTo(200);
      assertThat(names(held)).containsExactlyInAnyOrder("first", "second");

      // Below the cursor, at it, and in a table that is done; what lies beyond is nobody's claim.
      pair.onTarget(
          "DELETE FROM public.second WHERE id IN (1, 50, " + cursor + ")",
          "DELETE FROM public.second WHERE id > " + cursor,
          "DELETE FROM public.first WHERE id = 200");
      Operated.Outcome lost = check(operated, offsets.toString(), COPIED);
      assertThat(lost.status()).isEqualTo(2);
      assertThat(missing(lost, "second")).containsExactlyInAnyOrder("1", "50", "" + cursor);
      assertThat(missing(lost, "first")).containsExactly("200");

      // A cursor that lies: moved forward by hand, read through a REST interface that wants a user.
      Map<String, Object> moved = offset(offsets);
      moved.put("incremental_snapshot_primary_key", serialised(cursor + 3));
      HttpServer connect =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      connect
          .createContext("/connectors/shop/offsets", exchange -> answer(exchange, moved))
          .setAuthenticator(
              new BasicAuthenticator("connect") {
                @Override
                public boolean checkCredentials(String user, String password) {
                  return user.equals("reader") && password.equals(Operated.SECRET);
                }
              });
      connect.start();
      try {
        String rest = "http://127.0.0.1:" + connect.getAddress().getPort() + "/connectors/";
        Operated.Outcome stranger = check(operated, rest + "shop");
        assertThat(stranger.status()).isEqualTo(1);
        assertThat(stranger.err()).contains("401", "verify.range.claim.user");
        operated
            .with("verify.range.claim.url", rest + "other")
            .with("verify.range.claim.user", "reader")
            .with("verify.range.claim.password", Operated.SECRET);
        Operated.Outcome lied = check(operated, rest + "shop", COPIED);
        assertThat(lied.status()).as(lied.out() + lied.err()).isEqualTo(2);
        assertThat(missing(lied, "second"))
            .containsExactlyInAnyOrder(
                "1", "50", "" + cursor, "" + (cursor + 1), "" + (cursor + 2), "" + (cursor + 3));
        Operated.Outcome unknown = check(operated, rest + "nobody");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err()).contains("404");
      } finally {
        connect.stop(0);
      }
    }
  }

  /** A table of 100 rows, and how its key's columns are written and follow from a row's number. */
  private record Keyed(String table, String columns, String key, String values) {}

  private static final List<Keyed> KEYED =
      List.of(
          new Keyed(
              "stamped",
              "k timestamptz PRIMARY KEY",
              "k",
              "timestamptz '2026-03-29 00:59:57.123456+00' + i * interval '1 second'"),
          new Keyed(
              "wall_clock",
              "k timestamp PRIMARY KEY",
              "k",
              "timestamp '2026-03-29 02:30:00.000001' + i * interval '1 second'"),
          new Keyed("days", "k date PRIMARY KEY", "k", "date '2026-03-27' + i"),
          new Keyed("pairs", "k text, n int, PRIMARY KEY (k, n)", "k, n", "'x|' || i % 3, i"),
          new Keyed(
              "uuids",
              "k uuid PRIMARY KEY",
              "k",
              "('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid"),
          new Keyed("amounts", "k numeric(10,2) PRIMARY KEY", "k", "i + 0.50"),
          new Keyed("addresses", "k inet PRIMARY KEY", "k", "'10.0.0.0'::inet + i"));

  /** What a snapshot really keeps as its key; the fifth row's, of which the second is lost. */
  @Test
  void keysAreReadAsDebeziumKeepsThem() throws Exception {
    try (ReplicatedPair pair =
        ReplicatedPair.start(PostgresServer.builder(), PostgresServer.builder())) {
      pair.onSource(SnapshotPipeline.SIGNALS);
      for (Keyed keyed : KEYED) {
        pair.onBoth("CREATE TABLE public." + keyed.table() + " (" + keyed.columns() + ")");
        pair.onSource(filled(keyed));
        pair.onTarget(
            filled(keyed),
            "DELETE FROM %1$s WHERE (%2$s) IN (SELECT %2$s FROM %1$s ORDER BY %2$s OFFSET 1 LIMIT 1)"
                .formatted("public." + keyed.table(), keyed.key()),
            "DELETE FROM %1$s WHERE (%2$s) IN (SELECT %2$s FROM %1$s ORDER BY %2$s OFFSET 3)"
                .formatted("public." + keyed.table(), keyed.key()));
      }
      pair.onBoth("CREATE TABLE public.spans (k interval PRIMARY KEY)");
      pair.onSource(
          "INSERT INTO public.spans SELECT i * interval '1 s' FROM generate_series(1, 100) AS i");
      Operated operated =
          new Operated(pair, directory, "claims", "public\\..*")
              .with("verify.replay.confirmation", "none")
              .with("verify.settle.ms", "0")
              .with("verify.recheck.delay.ms", "0");
      try (IncrementalSnapshots snapshots = new IncrementalSnapshots(pair, directory, 5)) {
        for (Keyed keyed : KEYED) {
          String of = keyed.table();
          Path offset = written(snapshots.offsetIn(of));
          Operated.Outcome found = check(operated, offset.toString(), "--table", "public." + of);
          String said = of + found.out() + found.err();
          assertThat(found.status()).as(said).isEqualTo(2);
          assertThat(table(found, of).path("coverage").path("rows").asInt()).as(said).isEqualTo(5);
          JsonNode missing = table(found, of).path("keys").path("unresolved_missing");
          // The target lacks the second, and all from the fifth on.
          assertThat(missing.path("count").asInt()).as(said).isEqualTo(2);
        }
        Path offset = written(snapshots.offsetIn("spans"));
        Operated.Outcome refused =
            check(operated, offset.toString(), "--table", "public.spans", "--table", "public.days");
        assertThat(refused.status()).as(refused.out() + refused.err()).isEqualTo(2);
        assertThat(table(refused, "spans").path("outcome").asText()).isEqualTo("incomplete");
        assertThat(table(refused, "spans").path("reason").asText()).isEqualTo("cursor_key");
        assertThat(table(refused, "days").path("coverage").path("rows").asInt()).isEqualTo(100);
      }
    }
  }

  private static String filled(Keyed keyed) {
    return "INSERT INTO public.%s SELECT %s FROM generate_series(1, 100) AS i"
        .formatted(keyed.table(), keyed.values());
  }

  private Path written(Map<String, ?> offset) throws IOException {
    return Files.writeString(directory.resolve("offset.json"), JSON.writeValueAsString(offset));
  }

  private static void answer(
      com.sun.net.httpserver.HttpExchange exchange, Map<String, Object> offset) throws IOException {
    ObjectNode json = JSON.createObjectNode();
    ObjectNode entry = json.putArray("offsets").addObject();
    entry.putObject("partition").put("server", "shop");
    entry.set("offset", JSON.valueToTree(offset));
    byte[] body = json.toString().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  static String serialised(int key) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Object[] {key});
    }
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> offset(Path file) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
      byte[] value = ((Map<byte[], byte[]>) in.readObject()).values().iterator().next();
      return new HashMap<>((Map<String, Object>) JSON.readValue(value, Map.class));
    }
  }

  private Operated.Outcome check(Operated operated, String claims, String... more)
      throws Exception {
    List<String> args =
        new ArrayList<>(
            List.of(
                "verify-range",
                "--config",
                operated.config().toString(),
                "--json",
                "--claim-offsets",
                claims));
    args.addAll(List.of(more));
    return Operated.command(args.toArray(String[]::new));
  }

  private static JsonNode table(Operated.Outcome outcome, String name) throws Exception {
    for (JsonNode table : JSON.readTree(outcome.out()).path("tables")) {
      if (table.path("table").path("name").asText().equals(name)) {
        return table;
      }
    }
    throw new AssertionError("no " + name + " in " + outcome.out() + outcome.err());
  }

  private static Set<String> names(Operated.Outcome outcome) throws Exception {
    Set<String> names = new TreeSet<>();
    JSON.readTree(outcome.out())
        .path("tables")
        .forEach(table -> names.add(table.path("table").path("name").asText()));
    return names;
  }

  private static Set<String> missing(Operated.Outcome outcome, String table) throws Exception {
    Set<String> ids = new TreeSet<>();
    table(outcome, table)
        .path("keys")
        .path("unresolved_missing")
        .path("named")
        .forEach(key -> ids.add(key.path("id").asText()));
    return ids;
  }

  /**
   * Copies the offsets, and looks whether they are whole: the pipeline writes them all the time.
   */
  private static boolean isStreaming(Path offsets, Path copy) throws Exception {
    if (!Files.exists(offsets)) {
      return false;
    }
    Files.copy(offsets, copy, StandardCopyOption.REPLACE_EXISTING);
    try {
      return offset(copy).containsKey("lsn");
    } catch (EOFException e) {
      return false;
    }
  }

  /** Runs the pipeline until about a fifth of the second table is delivered. */
  private void killInTheMiddle(ReplicatedPair pair, Path offsets) throws Exception {
    Path properties = directory.resolve("pipeline.properties");
    Properties engine =
        SnapshotPipeline.engine(
            pair, offsets, "public.first,public.second,public.third,public.signals");
    engine.put("target", pair.target().jdbcUrl(ReplicatedPair.DATABASE) + "?user=postgres");
    try (Writer out = Files.newBufferedWriter(properties)) {
      engine.store(out, null);
    }
    Path log = directory.resolve("pipeline.log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SnapshotPipeline.class.getName(),
                properties.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      SnapshotPipeline.awaitStreaming(pair);
      pair.onSource("INSERT INTO public.third VALUES (201, 'v201')");
      Path streaming = directory.resolve("streaming.dat");
      Operated.until("a change to be streamed", () -> isStreaming(offsets, streaming));
      pair.onSource(SnapshotPipeline.signal("1", List.of("first", "second", "third")));
      List<String> seen = new ArrayList<>();
      Operated.until(
          "a fifth of the table",
          () -> {
            seen.add(JoinedPair.ask(pair.target(), "SELECT count(*) FROM public.second"));
            return Integer.parseInt(seen.get(seen.size() - 1)) > 1_000;
          });
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(offsets).as(Files.readString(log)).exists();
  }
}
