package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.walproof.embedded.PostgresServer;
import io.walproof.embedded.ReplicatedPair;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
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
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Claims from the offsets of a real Debezium incremental snapshot that was killed in its middle.
 */
class ClaimedOffsetsIT {

  private static final JsonMapper JSON = JsonMapper.builder().build();

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
      pair.onSource("CREATE TABLE public.signals (id text PRIMARY KEY, type text, data text)");
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

      Operated.Outcome held = check(operated, offsets.toString());
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
      Operated.Outcome lost = check(operated, offsets.toString());
      assertThat(lost.status()).isEqualTo(2);
      assertThat(missing(lost, "second")).containsExactlyInAnyOrder("1", "50", "" + cursor);
      assertThat(missing(lost, "first")).containsExactly("200");

      // A cursor that lies: moved forward by hand, read through a REST interface.
      Map<String, Object> moved = offset(offsets);
      moved.put("incremental_snapshot_primary_key", serialised(cursor + 3));
      HttpServer connect =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      connect.createContext("/connectors/shop/offsets", exchange -> answer(exchange, moved));
      connect.start();
      try {
        Operated.Outcome lied =
            check(
                operated,
                "http://127.0.0.1:" + connect.getAddress().getPort() + "/connectors/shop");
        assertThat(lied.status()).as(lied.out() + lied.err()).isEqualTo(2);
        assertThat(missing(lied, "second"))
            .containsExactlyInAnyOrder(
                "1", "50", "" + cursor, "" + (cursor + 1), "" + (cursor + 2), "" + (cursor + 3));
        Operated.Outcome unknown =
            check(
                operated,
                "http://127.0.0.1:" + connect.getAddress().getPort() + "/connectors/nobody");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err()).contains("404");
      } finally {
        connect.stop(0);
      }
    }
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

  private static String serialised(int key) throws IOException {
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
    Files.writeString(
        properties,
        String.join(
            "\n",
            "target=" + pair.target().jdbcUrl(ReplicatedPair.DATABASE) + "?user=postgres",
            "name=shop",
            "connector.class=io.debezium.connector.postgresql.PostgresConnector",
            "offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore",
            "offset.storage.file.filename=" + offsets,
            "offset.flush.interval.ms=0",
            "topic.prefix=shop",
            "database.hostname=127.0.0.1",
            "database.port=" + pair.source().port(),
            "database.dbname=" + ReplicatedPair.DATABASE,
            "database.user=" + PostgresServer.SUPERUSER,
            "database.password=none-needed",
            "plugin.name=pgoutput",
            "slot.name=shop",
            "publication.name=shop",
            "publication.autocreate.mode=filtered",
            "table.include.list=public.first,public.second,public.third,public.signals",
            "signal.data.collection=public.signals",
            "snapshot.mode=no_data",
            "incremental.snapshot.chunk.size=50",
            "max.batch.size=50",
            "max.queue.size=100",
            "key.converter.schemas.enable=false",
            "value.converter.schemas.enable=false",
            ""));
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
      Operated.until(
          "the pipeline to stream",
          () ->
              "1"
                  .equals(
                      JoinedPair.ask(
                          pair.source(),
                          "SELECT count(*) FROM pg_replication_slots"
                              + " WHERE slot_name = 'shop' AND active")));
      pair.onSource("INSERT INTO public.third VALUES (201, 'v201')");
      Path streaming = directory.resolve("streaming.dat");
      Operated.until("a change to be streamed", () -> isStreaming(offsets, streaming));
      pair.onSource(
          "INSERT INTO public.signals VALUES ('1', 'execute-snapshot',"
              + " '{\"type\": \"incremental\", \"data-collections\":"
              + " [\"public.first\", \"public.second\", \"public.third\"]}')");
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
