package io.walproof.standalone.topic;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import picocli.CommandLine.Option;

/** How the brokers are reached. */
public final class KafkaOptions {

  @Option(
      names = "--bootstrap-servers",
      paramLabel = "HOST:PORT",
      description = "The brokers, with commas between.")
  private String bootstrapServers;

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description = "Properties of a Kafka client, such as security.protocol; may hold secrets.")
  private Path file;

  /**
   * A consumer's settings; may hold secrets.
   *
   * @throws TopicException if the brokers are not named or the file cannot be read
   */
  public Map<String, Object> client() {
    Map<String, Object> client = new HashMap<>();
    if (file != null) {
      Properties properties = new Properties();
      try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        properties.load(in);
      } catch (IOException | IllegalArgumentException e) {
        // The cause of a malformed file may quote a line of it.
        throw new TopicException(
            "The file " + file + " cannot be read (" + e.getClass().getSimpleName() + ").");
      }
      properties.forEach((key, value) -> client.put(key.toString(), value));
    }
    if (bootstrapServers != null) {
      client.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    }
    if (!client.containsKey(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
      throw new TopicException(
          "The brokers are not named: give --bootstrap-servers HOST:PORT, or a --kafka-config FILE"
              + " with bootstrap.servers.");
    }
    return client;
  }
}
