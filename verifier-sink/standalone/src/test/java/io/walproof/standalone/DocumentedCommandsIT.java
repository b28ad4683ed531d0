package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.walproof.embedded.ReplicatedPair;
import io.walproof.standalone.docs.DocumentedCommands;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * README's way from two databases to a verdict: its SQL for the roles, its configuration, and its
 * commands, each run for real, in this process, in the order in which they stand there. Names of
 * hosts and files are replaced, and times are shortened. Commands that need Kafka or do not end by
 * themselves are run by the tests that are named here.
 */
class DocumentedCommandsIT {

  /** By how they begin, with the test that runs such a command. */
  private static final Map<String, Class<?>> ELSEWHERE =
      Map.of(
          "status --verify-topic", StatusTopicIT.class,
          "audit show --follow", AuditShowTest.class,
          "demo", DemoIT.class,
          "bench", BenchIT.class);

  /** By how they begin; what is lost on the target is a confirmed failure. */
  private static final Map<String, Integer> STATUS = new LinkedHashMap<>();

  static {
    STATUS.put("preflight", 0);
    // The second run of one configuration has nothing new to judge.
    STATUS.put("run --config standalone.properties", 0);
    STATUS.put("run", 2);
    STATUS.put("verify-range", 2);
    STATUS.put("audit summary", 2);
    for (String reading :
        List.of("drift show", "offsets show", "audit show", "audit check", "audit export")) {
      STATUS.put(reading, 0);
    }
  }

  @TempDir Path dir;

  @Test
  void readmesCommandsAreRunInItsOrderOnTwoDatabases() throws Exception {
    ReplicatedPair pair = JoinedPair.get();
    JoinedPair.lossy("orders");
    JoinedPair.healthy("customers");
    pair.onSource(statements("LOGIN REPLICATION"));
    pair.onTarget(statements("walproof LOGIN PASSWORD"));
    HttpServer connect = connect();
    configure(pair);
    try {
      // A first start makes the slot; what is written from then on is what the second one judges.
      assertThat(execute("run --config walproof.properties", connect).status()).isZero();
      pair.onSource(
          "INSERT INTO public.orders SELECT i, 'v' FROM generate_series(40, 44) AS i",
          "INSERT INTO public.customers VALUES (1, 'v')");
      pair.awaitApplied();
      List<String> run = new ArrayList<>();
      for (String command : DocumentedCommands.ofJar()) {
        if (startOf(command, ELSEWHERE.keySet()) == null) {
          Operated.Outcome outcome = execute(command, connect);
          assertThat(outcome.status())
              .as("%s%n%s%n%s", command, outcome.out(), outcome.err())
              .isEqualTo(STATUS.get(startOf(command, STATUS.keySet())));
          assertThat(outcome.out() + outcome.err()).as(command).isNotBlank();
          run.add(startOf(command, STATUS.keySet()));
        }
      }
      assertThat(run).containsAll(STATUS.keySet());
      assertThat(Files.readString(dir.resolve("repair.sql")))
          .contains("INSERT INTO \"public\".\"orders\"");
    } finally {
      connect.stop(0);
      pair.onSource(
          "SELECT pg_drop_replication_slot('walproof')",
          "DROP PUBLICATION walproof",
          "DROP OWNED BY walproof",
          "DROP ROLE walproof");
      pair.onTarget("DROP OWNED BY walproof", "DROP ROLE walproof");
    }
  }

  private static String[] statements(String holds) throws Exception {
    return DocumentedCommands.block("sql", holds).strip().replaceFirst(";$", "").split(";\\s*", -1);
  }

  /** README's least configuration, for these servers. */
  private void configure(ReplicatedPair pair) throws Exception {
    Map<String, String> here = new LinkedHashMap<>();
    here.put("state.dir", dir.resolve("walproof-state").toString());
    here.put("database.hostname", "127.0.0.1");
    here.put("database.port", Integer.toString(pair.source().port()));
    here.put("database.dbname", ReplicatedPair.DATABASE);
    here.put("verify.target.jdbc.url", pair.target().jdbcUrl(ReplicatedPair.DATABASE));
    String text = DocumentedCommands.block("properties", "verify.target.jdbc.url");
    for (Map.Entry<String, String> each : here.entrySet()) {
      String line = "(?m)^" + each.getKey().replace(".", "\\.") + "=.*$";
      assertThat(text).containsPattern(line);
      text = text.replaceFirst(line, each.getKey() + "=" + each.getValue());
    }
    Files.writeString(
        dir.resolve("walproof.properties"),
        text
            + "verify.settle.ms=300\nverify.recheck.delay.ms=500\nverify.commit.interval.ms=100\n"
            + "heartbeat.interval.ms=500\n");
  }

  private Operated.Outcome execute(String command, HttpServer connect) {
    List<String> args = new ArrayList<>();
    for (String word : List.of(command.split(" ", -1))) {
      args.add(
          word.replaceAll("^(?:walproof|standalone)\\.properties$", file("walproof.properties"))
              .replaceAll("^repair\\.sql$", file("repair.sql"))
              .replace("connect:8083", "127.0.0.1:" + connect.getAddress().getPort()));
    }
    if (args.get(0).equals("run")) {
      args.addAll(List.of("--until-idle", "1s"));
    } else if (!args.contains("--config")) {
      args.addAll(List.of("--state-dir", file("walproof-state")));
    }
    return Operated.command(args.toArray(String[]::new));
  }

  private String file(String name) {
    return dir.resolve(name).toString();
  }

  private static String startOf(String command, Iterable<String> starts) {
    for (String start : starts) {
      if (command.equals(start) || command.startsWith(start + " ")) {
        return start;
      }
    }
    return null;
  }

  /** The offsets of a connector whose initial snapshot is complete, as Connect tells them. */
  private static HttpServer connect() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] body =
        ("{\"offsets\":[{\"partition\":{\"server\":\"shop\"},"
                + "\"offset\":{\"snapshot\":\"INITIAL\",\"snapshot_completed\":true,\"lsn\":1}}]}")
            .getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/connectors/pipeline/offsets",
        exchange -> {
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }
}
