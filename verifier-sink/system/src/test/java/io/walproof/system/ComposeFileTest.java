package io.walproof.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The compose file holds together, as far as that can be seen without running it. */
class ComposeFileTest {

  /** A version of its own, no "latest", and no major alone. */
  private static final Pattern FIXED = Pattern.compile("[a-z0-9./-]+:[0-9]+\\.[0-9]+[A-Za-z0-9.]*");

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:([A-Z_]+)}");

  @Test
  void composeItselfAcceptsIt() throws IOException, InterruptedException {
    List<String> command = composeCommand();
    assumeTrue(!command.isEmpty(), "neither 'docker compose' nor 'docker-compose' is installed");
    Process process =
        new ProcessBuilder(Stream.concat(command.stream(), Stream.of("config", "--quiet")).toList())
            .directory(Delivered.ROOT.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  @Test
  void everyServiceHasAFixedImageAndBoundedMemory() throws IOException {
    services()
        .forEach(
            (name, service) -> {
              assertThat(service.path("image").asText()).as(name).matches(FIXED);
              assertThat(service.path("mem_limit").asText()).as(name).matches("[0-9]+[mg]");
            });
  }

  @Test
  void whatOthersWaitForIsHealthyOrHasEnded() throws IOException {
    Map<String, JsonNode> services = services();
    services.forEach(
        (name, service) ->
            service
                .path("depends_on")
                .properties()
                .forEach(
                    awaited -> {
                      JsonNode other = services.get(awaited.getKey());
                      assertThat(other).as(name).isNotNull();
                      String condition = awaited.getValue().path("condition").asText();
                      assertThat(condition)
                          .as("%s waits for %s", name, awaited.getKey())
                          .isEqualTo(
                              other.has("healthcheck")
                                  ? "service_healthy"
                                  : "service_completed_successfully");
                    }));
  }

  @Test
  void everyMountedFileExists() throws IOException {
    for (JsonNode service : services().values()) {
      for (JsonNode volume : service.path("volumes")) {
        String from = volume.asText().substring(0, volume.asText().indexOf(':'));
        if (from.startsWith("./") && !from.endsWith("/target")) {
          assertThat(Delivered.ROOT.resolve(from)).exists();
        }
      }
    }
  }

  @Test
  void everyVariableOfAConfigurationIsInTheWorkersEnvironment() throws IOException {
    Set<String> wanted = new HashSet<>();
    try (Stream<Path> files = Files.list(Delivered.ROOT.resolve("config"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".json")).toList()) {
        Matcher matcher = VARIABLE.matcher(Files.readString(file));
        while (matcher.find()) {
          wanted.add(matcher.group(1));
        }
      }
    }
    JsonNode environment = services().get("connect").path("environment");
    assertThat(wanted).isNotEmpty().allMatch(environment::has);
  }

  @Test
  void deploysWhatTheTestsDeploy() {
    assertThat(Sample.script("deploy.sh"))
        .contains("connectors=\"" + String.join(" ", SampleBody.CONNECTORS) + "\"");
  }

  private static Map<String, JsonNode> services() throws IOException {
    JsonNode root;
    try (Reader file = Files.newBufferedReader(Delivered.ROOT.resolve("docker-compose.yml"))) {
      // Jackson's own reader of YAML leaves merge keys as they stand.
      Object read = new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
      root = new ObjectMapper().valueToTree(read);
    }
    Map<String, JsonNode> services = new TreeMap<>();
    root.path("services")
        .properties()
        .forEach(service -> services.put(service.getKey(), service.getValue()));
    return services;
  }

  private static List<String> composeCommand() throws InterruptedException {
    for (List<String> command : List.of(List.of("docker", "compose"), List.of("docker-compose"))) {
      if (answers(command)) {
        return command;
      }
    }
    return List.of();
  }

  private static boolean answers(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(Stream.concat(command.stream(), Stream.of("version")).toList())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      // Not installed.
      return false;
    }
  }
}
