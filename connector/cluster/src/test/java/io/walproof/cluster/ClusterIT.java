package io.walproof.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.embedded.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.connect.file.FileStreamSourceConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file's lines go through real brokers and workers, also when those end in the middle. */
class ClusterIT {

  private static final String CONNECTOR = FileStreamSourceConnector.class.getName();
  private static final Duration BOUND = Duration.ofMinutes(2);

  @TempDir Path folder;

  @Test
  void everythingInThisJvm() throws IOException {
    Path file = write("one");
    try (KafkaBroker broker = KafkaBroker.embedded();
        ConnectWorker worker = new WorkerSettings(broker.bootstrapServers()).embedded();
        TopicReader lines = new TopicReader(broker.bootstrapServers(), "lines")) {
      ConnectRest rest = worker.rest();
      assertThat(rest.plugins()).contains(CONNECTOR);
      rest.deploy("file", config(file));
      rest.awaitRunning("file", 1);
      await(lines, "one");

      rest.stop("file");
      append(file, "two");
      // A broker that is away for a while keeps its port and its data.
      broker.stop();
      broker.start();
      rest.resume("file");
      await(lines, "one", "two");
      assertThat(rest.offsets("file").at("/offsets/0/offset/position").asInt()).isPositive();

      rest.stop("file");
      rest.resetOffsets("file");
      assertThat(rest.offsets("file").at("/offsets")).isEmpty();
      rest.delete("file");
      assertThat(rest.connectors()).isEmpty();
      assertThatThrownBy(() -> rest.config("file"))
          .isInstanceOfSatisfying(
              RestFailure.class, failure -> assertThat(failure.status()).isEqualTo(404));
    }
  }

  @Test
  void everythingInProcessesThatAreKilled() throws IOException {
    Path file = write("one");
    try (PluginFolder plugins = new PluginFolder();
        BrokerProcess broker = KafkaBroker.process();
        TopicReader lines = new TopicReader(broker.bootstrapServers(), "lines")) {
      plugins.add("file", List.of(jarOf(FileStreamSourceConnector.class)));
      WorkerSettings settings =
          new WorkerSettings(broker.bootstrapServers())
              .pluginPath(plugins.path())
              .classPath(
                  ClassPath.ofThisJvm().stream()
                      .filter(entry -> !entry.getFileName().toString().startsWith("connect-file"))
                      .toList());
      try (WorkerProcess first = settings.process();
          WorkerProcess second = settings.process()) {
        second.rest().deploy("file", config(file));
        second.rest().awaitRunning("file", 1);
        await(lines, "one");

        ConnectorStatus status = second.rest().status("file");
        boolean onFirst = status.tasks().get(0).worker().equals(first.workerId());
        WorkerProcess holder = onFirst ? first : second;
        WorkerProcess other = onFirst ? second : first;
        holder.kill();
        append(file, "two");
        // At least once: a line may come again, none may be missing.
        lines.readUntil("the second line", BOUND, read -> values(read).contains("two"));
        assertThat(other.rest().status("file").tasks().get(0).worker()).isEqualTo(other.workerId());

        broker.kill();
        append(file, "three");
        broker.start();
        lines.readUntil("the third line", BOUND, read -> values(read).contains("three"));
        holder.start();
        assertThat(holder.rest().connectors()).containsExactly("file");
      }
    }
  }

  @Test
  void aWorkerThatCannotStartSaysWhy() {
    WorkerSettings settings =
        new WorkerSettings("127.0.0.1:" + FreePort.next()).setting("session.timeout.ms", "soon");
    assertThatThrownBy(settings::process)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("session.timeout.ms");
  }

  private static Map<String, String> config(Path file) {
    return Map.of(
        "connector.class",
        CONNECTOR,
        "topic",
        "lines",
        "file",
        file.toString(),
        "value.converter",
        "org.apache.kafka.connect.storage.StringConverter");
  }

  private Path write(String line) throws IOException {
    return Files.writeString(folder.resolve("input.txt"), line + "\n");
  }

  private static void append(Path file, String line) throws IOException {
    Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
  }

  private static void await(TopicReader reader, String... expected) {
    reader.readUntil("lines", BOUND, read -> read.size() >= expected.length);
    assertThat(values(reader.readToEnd())).containsExactly(expected);
  }

  private static List<String> values(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(each -> new String(each.value(), StandardCharsets.UTF_8)).toList();
  }

  private static Path jarOf(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }
}
