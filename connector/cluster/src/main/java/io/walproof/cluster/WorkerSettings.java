package io.walproof.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a Connect worker is started with. Workers with the same broker and group form one cluster.
 * Not thread-safe.
 */
public final class WorkerSettings {

  private final Map<String, String> properties = new TreeMap<>();
  private final List<String> jvmArguments = new ArrayList<>(List.of("-Xmx384m"));
  private final Map<String, String> environment = new TreeMap<>();
  private List<Path> classPath = ClassPath.ofThisJvm();

  /** A worker for the broker, in the group {@code connect}. */
  public WorkerSettings(String bootstrapServers) {
    properties.put("bootstrap.servers", bootstrapServers);
    properties.put("key.converter", "org.apache.kafka.connect.json.JsonConverter");
    properties.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
    properties.put("config.storage.replication.factor", "1");
    properties.put("offset.storage.replication.factor", "1");
    properties.put("offset.storage.partitions", "1");
    properties.put("status.storage.replication.factor", "1");
    properties.put("status.storage.partitions", "1");
    properties.put("offset.flush.interval.ms", "500");
    properties.put("plugin.discovery", "service_load");
    properties.put("rest.advertised.host.name", "127.0.0.1");
    // What a dead worker held is handed on soon: 6 s is the least that a broker admits.
    properties.put("session.timeout.ms", "6000");
    properties.put("heartbeat.interval.ms", "2000");
    properties.put("scheduled.rebalance.max.delay.ms", "1000");
    group("connect");
  }

  /** The Connect cluster's name; its topics are named after it. */
  public WorkerSettings group(String name) {
    properties.put("group.id", name);
    properties.put("config.storage.topic", name + "-configs");
    properties.put("offset.storage.topic", name + "-offsets");
    properties.put("status.storage.topic", name + "-status");
    return this;
  }

  /** The folders with plugins; without them only what the class path holds is there. */
  public WorkerSettings pluginPath(Path... folders) {
    properties.put(
        "plugin.path", Stream.of(folders).map(Path::toString).collect(Collectors.joining(",")));
    return this;
  }

  /** Any setting of a worker. */
  public WorkerSettings setting(String name, String value) {
    properties.put(name, value);
    return this;
  }

  /** Exactly-once delivery for source connectors. */
  public WorkerSettings exactlyOnce() {
    return setting("exactly.once.source.support", "enabled");
  }

  /** A further argument for the JVM of a worker process, such as another heap. */
  public WorkerSettings jvmArgument(String argument) {
    jvmArguments.add(argument);
    return this;
  }

  /** An environment variable of a worker process. */
  public WorkerSettings environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** The class path of a worker process, for another version of Connect. */
  public WorkerSettings classPath(List<Path> entries) {
    classPath = List.copyOf(entries);
    return this;
  }

  /** Starts a worker in this JVM, on its class path; returns once it is healthy. */
  public EmbeddedWorker embedded() {
    return new EmbeddedWorker(Map.copyOf(properties));
  }

  /** Starts a worker as a process of its own, which can be killed; returns once it is healthy. */
  public WorkerProcess process() {
    return new WorkerProcess(
        Map.copyOf(properties),
        new ChildJvm.Setup(classPath, List.copyOf(jvmArguments), Map.copyOf(environment)));
  }
}
