package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.walproof.contract.Time;
import io.walproof.verifier.audit.FileAuditLog;
import io.walproof.verifier.audit.StateDirectory;
import io.walproof.verifier.model.AuditEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar that the build leaves, as its users run it. */
class RunnableJarIT {

  private static final Path JAR = Path.of("target", "walproof.jar");

  @TempDir Path dir;

  private record Outcome(int status, String out, String err) {}

  @Test
  void helpNeedsNothingButTheJar() throws Exception {
    Outcome help = run("--help");
    assertThat(help.status()).as(help.err()).isZero();
    assertThat(help.out()).startsWith("Usage: walproof").contains("audit");
    assertThat(help.err()).isEmpty();
  }

  @Test
  void auditCommandsWorkAndResultsAreAloneOnStandardOutput() throws Exception {
    Path state = dir.resolve("state");
    try (StateDirectory held = StateDirectory.open(state);
        FileAuditLog log = FileAuditLog.open(held, "run-1", Time.system())) {
      log.append(
          List.of(new AuditEntry.RunStart(1, "none", List.of(7L), Map.of(), Optional.empty())));
    }
    Outcome check = run("audit", "check", "--state-dir", state.toString(), "--json");
    assertThat(check.status()).as(check.err()).isZero();
    assertThat(check.out().lines()).singleElement().asString().contains("\"whole\":true");
    assertThat(check.err()).isEmpty();

    Files.writeString(
        StateDirectory.auditFile(state),
        Files.readString(StateDirectory.auditFile(state)).replace("\"seq\":1", "\"seq\":2"));
    assertThat(run("audit", "check", "--state-dir", state.toString()).status()).isEqualTo(1);
    Outcome absent = run("audit", "check", "--state-dir", dir.resolve("absent").toString());
    assertThat(absent.status()).isEqualTo(1);
    assertThat(absent.out()).isEmpty();
    assertThat(absent.err()).contains("There is no audit file");
  }

  @Test
  void logsAreConfiguredAndGoToStandardError() throws Exception {
    Outcome debug = run("--log-level", "debug", "audit", "check", "--file", "absent");
    assertThat(debug.out()).isEmpty();
    assertThat(debug.err()).contains("DEBUG Reports: ").doesNotContain("|-INFO in");
  }

  @Test
  void whatGoesToStandardErrorIsJsonWhereThatIsWanted() throws Exception {
    Outcome option =
        run("--log-format", "json", "--log-level", "debug", "audit", "check", "--file", "absent");
    assertThat(option.status()).isEqualTo(1);
    assertThat(lines(option.err()))
        .anySatisfy(
            line -> {
              assertThat(line.path("level").asText()).isEqualTo("DEBUG");
              assertThat(line.path("logger").asText()).endsWith("Reports");
              assertThat(line.path("thread").asText()).isEqualTo("main");
            })
        .anySatisfy(
            line -> {
              assertThat(line.path("message").asText()).contains("There is no audit file");
              assertThat(line.path("level").asText()).isEqualTo("ERROR");
            })
        .allSatisfy(line -> assertThat(line.path("ts").asText()).startsWith("20"));

    Path config = dir.resolve("logged.properties");
    Files.writeString(
        config,
        """
        log.format=json
        log.level=debug
        state.dir=state
        topic.prefix=logged
        database.hostname=127.0.0.1
        database.port=1
        database.dbname=app
        database.user=nobody
        slot.name=logged
        publication.name=logged
        verify.target.jdbc.url=jdbc:postgresql://127.0.0.1:1/app
        verify.connect.timeout.ms=1000
        """);
    Outcome set = run("run", "--config", config.toString());
    assertThat(set.status()).as(set.err()).isEqualTo(1);
    assertThat(lines(set.err())).anyMatch(line -> line.path("level").asText().equals("DEBUG"));
    Outcome louder = run("--log-level", "error", "run", "--config", config.toString());
    assertThat(lines(louder.err()))
        .as("the option comes first")
        .isNotEmpty()
        .noneMatch(line -> line.path("level").asText().equals("DEBUG"));
  }

  private static List<JsonNode> lines(String err) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : err.lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }

  @Test
  void everyServiceFileOfALibraryIsMergedAndNoSignatureIsLeft() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      List<String> names =
          Collections.list(jar.entries()).stream().map(entry -> entry.getName()).toList();
      assertThat(names).doesNotHaveDuplicates();
      assertThat(names).noneMatch(name -> name.matches("META-INF/[^/]+\\.(SF|DSA|RSA)"));
      String converters = text(jar, "META-INF/services/org.apache.kafka.connect.storage.Converter");
      assertThat(converters)
          .contains("org.apache.kafka.connect.json.JsonConverter")
          .contains("io.debezium.converters");
      assertThat(text(jar, "META-INF/services/java.sql.Driver")).contains("org.postgresql.Driver");
      assertThat(jar.getManifest().getMainAttributes().getValue("Multi-Release")).isEqualTo("true");
    }
  }

  private static String text(JarFile jar, String entry) throws IOException {
    return new String(
        jar.getInputStream(jar.getEntry(entry)).readAllBytes(), StandardCharsets.UTF_8);
  }

  private Outcome run(String... args) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-jar");
    command.add(JAR.toAbsolutePath().toString());
    command.addAll(Arrays.asList(args));
    Path out = Files.createTempFile(dir, "out", ".txt");
    Path err = Files.createTempFile(dir, "err", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
