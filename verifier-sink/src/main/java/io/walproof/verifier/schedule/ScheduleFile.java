package io.walproof.verifier.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.contract.TableId;
import io.walproof.verifier.audit.PrivateFiles;
import io.walproof.verifier.range.RangeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a restart must know: which drift has not been answered by a check yet, and when the schedule
 * began its last one. One JSON object, format 1, replaced as a whole. Thread-safe.
 */
public final class ScheduleFile {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int VERSION = 1;

  /**
   * A reason that no check has answered yet.
   *
   * @param reason why
   * @param table the table, empty for all
   */
  record Open(Trigger.Reason reason, Optional<TableId> table) {}

  private final Path file;

  /** How many reasons of a kind are open; only that there is one is kept. */
  private final Map<Open, Integer> open = new LinkedHashMap<>();

  private Optional<Instant> lastScheduled = Optional.empty();

  private ScheduleFile(Path file) {
    this.file = file;
  }

  /**
   * Reads what an earlier life left in a directory, which is made if need be.
   *
   * @throws RangeException if the file cannot be used, or is of another version
   */
  public static ScheduleFile in(Path directory) {
    ScheduleFile schedule = new ScheduleFile(directory.resolve("schedule.json"));
    try {
      PrivateFiles.directory(directory);
      if (Files.exists(schedule.file)) {
        schedule.read(JSON.readTree(Files.readAllBytes(schedule.file)));
      }
      return schedule;
    } catch (IOException | IllegalArgumentException | DateTimeParseException e) {
      throw schedule.failed(e);
    }
  }

  private RangeException failed(Exception e) {
    return new RangeException(
        "The file "
            + file
            + " cannot be used ("
            + e.getClass().getSimpleName()
            + "); check state.dir and its disk, or remove the file: then checks that drift asked"
            + " for and that are not done are forgotten.",
        e);
  }

  private void read(JsonNode json) {
    if (json.path("v").asInt(-1) != VERSION) {
      throw new IllegalArgumentException("an unknown version");
    }
    for (JsonNode each : json.path("open")) {
      JsonNode table = each.path("table");
      open.put(
          new Open(
              Trigger.Reason.valueOf(each.path("reason").asText().toUpperCase(Locale.ROOT)),
              table.isObject()
                  ? Optional.of(
                      new TableId(table.path("schema").asText(), table.path("name").asText()))
                  : Optional.empty()),
          1);
    }
    lastScheduled = Optional.ofNullable(json.path("scheduled").textValue()).map(Instant::parse);
  }

  synchronized List<Open> open() {
    return List.copyOf(open.keySet());
  }

  synchronized Optional<Instant> lastScheduled() {
    return lastScheduled;
  }

  synchronized void scheduled(Instant at) {
    lastScheduled = Optional.of(at);
    write();
  }

  synchronized void add(Open trigger) {
    if (open.merge(trigger, 1, Integer::sum) == 1) {
      write();
    }
  }

  synchronized void remove(Open trigger) {
    if (open.computeIfPresent(trigger, (same, count) -> count == 1 ? null : count - 1) == null) {
      write();
    }
  }

  private void write() {
    ObjectNode json = JSON.createObjectNode();
    json.put("v", VERSION);
    lastScheduled.ifPresent(at -> json.put("scheduled", at.toString()));
    ArrayNode all = json.putArray("open");
    for (Open each : open.keySet()) {
      ObjectNode entry = all.addObject().put("reason", each.reason().text());
      each.table()
          .ifPresent(
              table ->
                  entry.putObject("table").put("schema", table.schema()).put("name", table.name()));
    }
    Path next = file.resolveSibling(file.getFileName() + ".next");
    try {
      PrivateFiles.file(next);
      try (FileChannel channel =
          FileChannel.open(next, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
        ByteBuffer bytes = ByteBuffer.wrap(json.toString().getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
