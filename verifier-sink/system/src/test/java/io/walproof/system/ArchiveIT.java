package io.walproof.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.cluster.PluginFolder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The archives hold what they say, nothing that a worker owns, and offer a worker one connector.
 */
class ArchiveIT {

  private static final String LISTED = "CONTENTS.txt";

  /** Packages of the worker, by the start of their classes' paths. */
  private static final List<String> WORKER_CLASSES =
      List.of(
          "org/apache/kafka/",
          "org/slf4j/",
          "ch/qos/logback/",
          "org/apache/log4j/",
          "org/apache/logging/",
          "com/github/luben/zstd/",
          "net/jpountz/",
          "org/xerial/snappy/",
          "jakarta/ws/rs/",
          "com/fasterxml/jackson/core/",
          "com/fasterxml/jackson/databind/",
          "com/fasterxml/jackson/annotation/");

  private enum Plugin {
    CONNECTOR(
        Delivered.CONNECTOR,
        "connector",
        "walproof-connector",
        "io.walproof.connector.PostgresDriftConnector",
        "source"),
    VERIFIER(
        Delivered.VERIFIER,
        "verifier-sink",
        "walproof-verifier-sink",
        "io.walproof.verifier.VerifierSinkConnector",
        "sink");

    private final Path archive;
    private final String module;
    private final String folder;
    private final String connector;
    private final String type;

    Plugin(Path archive, String module, String folder, String connector, String type) {
      this.archive = archive;
      this.module = module;
      this.folder = folder;
      this.connector = connector;
      this.type = type;
    }
  }

  @ParameterizedTest
  @EnumSource(Plugin.class)
  void holdsExactlyTheListedJarsWithTheirLicences(Plugin plugin) throws IOException {
    Map<String, String> licences =
        licences(
            Files.readString(Delivered.ROOT.resolve(plugin.module + "/src/main/assembly/" + LISTED))
                .replace("${project.version}", Delivered.version()));
    Set<String> expected = new TreeSet<>(licences.keySet());
    expected.addAll(List.of("LICENSE", LISTED));

    Map<String, byte[]> files = files(plugin);
    assertThat(files.keySet()).containsExactlyElementsOf(expected);
    assertThat(licences.values())
        .allSatisfy(licence -> assertThat(licence).matches("Apache-2\\.0|BSD-[23]-Clause|MIT"));
    assertThat(licences(new String(files.get(LISTED), StandardCharsets.UTF_8))).isEqualTo(licences);
  }

  @ParameterizedTest
  @EnumSource(Plugin.class)
  void bringsNoClassThatTheWorkerOwnsAndNoneTwice(Plugin plugin) throws IOException {
    Map<String, String> holders = new TreeMap<>();
    List<String> twice = new ArrayList<>();
    for (Map.Entry<String, byte[]> jar : jars(plugin).entrySet()) {
      for (String entry : entries(jar.getValue())) {
        assertThat(WORKER_CLASSES)
            .as("%s in %s", entry, jar.getKey())
            .noneMatch(owned -> entry.startsWith(owned) && entry.endsWith(".class"));
        boolean counts =
            entry.endsWith(".class")
                && !entry.startsWith("META-INF/")
                && !entry.equals("module-info.class");
        String former = counts ? holders.put(entry, jar.getKey()) : null;
        if (former != null && !isExpectedTwice(entry)) {
          twice.add(entry + " in " + former + " and " + jar.getKey());
        }
      }
    }
    assertThat(twice).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Plugin.class)
  void everyLicenceThatIsNotApachesIsInItsJar(Plugin plugin) throws IOException {
    Map<String, byte[]> jars = jars(plugin);
    for (Map.Entry<String, String> each : listedLicences(plugin).entrySet()) {
      if (!each.getValue().equals("Apache-2.0")) {
        assertThat(entries(jars.get(each.getKey())))
            .as(each.getKey())
            .anyMatch(entry -> entry.matches("META-INF/LICENSE(\\.txt)?"));
      }
    }
  }

  /** Kafka's own tool looks at every class too; only a manifest offers one to a worker. */
  @Test
  void offerTheWorkerOneConnectorEachByManifest() {
    try (PluginFolder folder = new PluginFolder()) {
      for (Plugin plugin : Plugin.values()) {
        folder.unpack(plugin.archive);
      }
      List<ListedPlugin> listed = ListedPlugin.in(folder.path());
      assertThat(listed)
          .filteredOn(ListedPlugin::hasManifest)
          .containsExactlyInAnyOrder(offered(Plugin.CONNECTOR), offered(Plugin.VERIFIER));
      assertThat(listed)
          .filteredOn(row -> !row.hasManifest())
          .allSatisfy(
              row -> {
                assertThat(row.name()).startsWith("io.debezium.");
                assertThat(row.folder()).isEqualTo(Plugin.CONNECTOR.folder);
              });
    }
  }

  private static ListedPlugin offered(Plugin plugin) {
    return new ListedPlugin(
        plugin.connector, Delivered.version(), plugin.type, true, true, plugin.folder);
  }

  /** Each of three Debezium jars has a class of this name; all say the same. */
  private static boolean isExpectedTwice(String entry) {
    return entry.equals("io/debezium/Module.class");
  }

  /** The list that is checked in. */
  private static Map<String, String> listedLicences(Plugin plugin) throws IOException {
    return licences(
        Files.readString(Delivered.ROOT.resolve(plugin.module + "/src/main/assembly/" + LISTED))
            .replace("${project.version}", Delivered.version()));
  }

  private static Map<String, String> licences(String listed) {
    return listed
        .lines()
        .filter(line -> !line.startsWith("#") && !line.isBlank())
        .map(line -> line.split(" "))
        .collect(
            Collectors.toMap(line -> line[0], line -> line[1], (one, other) -> one, TreeMap::new));
  }

  private static Map<String, byte[]> jars(Plugin plugin) throws IOException {
    Map<String, byte[]> jars = files(plugin);
    jars.keySet().removeIf(name -> !name.endsWith(".jar"));
    return jars;
  }

  /** The archive's files by their names below its one folder. */
  private static Map<String, byte[]> files(Plugin plugin) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (ZipFile zip = new ZipFile(plugin.archive.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        assertThat(entry.getName()).startsWith(plugin.folder + "/");
        if (!entry.isDirectory()) {
          try (InputStream in = zip.getInputStream(entry)) {
            files.put(entry.getName().substring(plugin.folder.length() + 1), in.readAllBytes());
          }
        }
      }
    }
    return files;
  }

  private static List<String> entries(byte[] jar) throws IOException {
    List<String> names = new ArrayList<>();
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        names.add(entry.getName());
      }
    }
    return names;
  }
}
