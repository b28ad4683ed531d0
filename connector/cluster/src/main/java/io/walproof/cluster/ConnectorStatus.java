package io.walproof.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What a worker says of a connector.
 *
 * @param state such as {@code RUNNING}, {@code FAILED}, {@code STOPPED}, {@code UNASSIGNED}
 * @param worker which worker runs the connector
 * @param trace the failure, empty if there is none
 * @param tasks the same of each task, in the order of their numbers
 */
public record ConnectorStatus(String state, String worker, String trace, List<Task> tasks) {

  /**
   * One task.
   *
   * @param trace the failure, empty if there is none
   */
  public record Task(int id, String state, String worker, String trace) {}

  /** Takes the list as it is. */
  public ConnectorStatus {
    tasks = List.copyOf(tasks);
  }

  /** Whether the connector and exactly that many tasks are running. */
  public boolean isRunning(int wanted) {
    return state.equals("RUNNING")
        && tasks.size() == wanted
        && tasks.stream().allMatch(task -> task.state().equals("RUNNING"));
  }

  /** Whether the connector or one of its tasks has failed. */
  public boolean hasFailed() {
    return state.equals("FAILED") || tasks.stream().anyMatch(task -> task.state().equals("FAILED"));
  }

  static ConnectorStatus of(JsonNode json) {
    JsonNode connector = json.path("connector");
    List<Task> tasks = new ArrayList<>();
    for (JsonNode task : json.path("tasks")) {
      tasks.add(
          new Task(
              task.path("id").asInt(),
              task.path("state").asText(),
              task.path("worker_id").asText(),
              task.path("trace").asText()));
    }
    tasks.sort((one, other) -> Integer.compare(one.id(), other.id()));
    return new ConnectorStatus(
        connector.path("state").asText(),
        connector.path("worker_id").asText(),
        connector.path("trace").asText(),
        tasks);
  }
}
