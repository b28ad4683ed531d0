package io.walproof.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A worker's REST interface. Requests are repeated while the worker rebalances; every other refusal
 * is a {@link RestFailure}, and a worker that does not answer an {@link UncheckedIOException}.
 * Thread-safe.
 */
public final class ConnectRest {

  private final HttpJson http;

  /** For a worker at an address such as {@code http://127.0.0.1:8083}. */
  public ConnectRest(String address) {
    http = new HttpJson(address);
  }

  /** Any request, for what has no method here; the body may be null. */
  public JsonNode request(String method, String path, Object body) {
    return http.request(method, path, body);
  }

  /** Names of the connector classes that the worker found. */
  public List<String> plugins() {
    List<String> names = new ArrayList<>();
    for (JsonNode plugin : http.request("GET", "/connector-plugins", null)) {
      names.add(plugin.path("class").asText());
    }
    return names;
  }

  /** What the connector class says of a configuration: Connect's answer as it is. */
  public JsonNode validate(String connectorClass, Map<String, String> config) {
    return http.request("PUT", "/connector-plugins/" + connectorClass + "/config/validate", config);
  }

  /** Names of all connectors. */
  public List<String> connectors() {
    List<String> names = new ArrayList<>();
    http.request("GET", "/connectors", null).forEach(name -> names.add(name.asText()));
    return names;
  }

  /** Creates the connector or changes its configuration. */
  public void deploy(String name, Map<String, String> config) {
    http.request("PUT", at(name, "/config"), config);
  }

  /** The connector's configuration as the worker shows it. */
  public JsonNode config(String name) {
    return http.request("GET", at(name, "/config"), null);
  }

  /** The connector's state. */
  public ConnectorStatus status(String name) {
    return ConnectorStatus.of(http.request("GET", at(name, "/status"), null));
  }

  /** The committed offsets: Connect's answer as it is, an object with the array {@code offsets}. */
  public JsonNode offsets(String name) {
    return http.request("GET", at(name, "/offsets"), null);
  }

  /** Changes offsets of a stopped connector; the body has the form that {@link #offsets} gives. */
  public void alterOffsets(String name, Object offsets) {
    http.request("PATCH", at(name, "/offsets"), offsets);
  }

  /** Resets the offsets of a stopped connector. */
  public void resetOffsets(String name) {
    http.request("DELETE", at(name, "/offsets"), null);
  }

  /** Stops the connector and waits until its tasks are gone. */
  public void stop(String name) {
    http.request("PUT", at(name, "/stop"), null);
    await(name, "STOPPED", status -> status.state().equals("STOPPED") && status.tasks().isEmpty());
  }

  /** Pauses the connector and waits until its tasks are paused. */
  public void pause(String name) {
    http.request("PUT", at(name, "/pause"), null);
    await(
        name,
        "PAUSED",
        status ->
            status.state().equals("PAUSED")
                && status.tasks().stream().allMatch(task -> task.state().equals("PAUSED")));
  }

  /** Lets a stopped or paused connector go on; does not wait. */
  public void resume(String name) {
    http.request("PUT", at(name, "/resume"), null);
  }

  /** Restarts the connector with all its tasks; does not wait. */
  public void restart(String name) {
    http.request("POST", at(name, "/restart?includeTasks=true&onlyFailed=false"), null);
  }

  /** Restarts one task; does not wait. */
  public void restartTask(String name, int task) {
    http.request("POST", at(name, "/tasks/" + task + "/restart"), null);
  }

  /** Deletes the connector; its offsets stay. */
  public void delete(String name) {
    http.request("DELETE", at(name, ""), null);
  }

  /**
   * Waits until the connector and exactly that many tasks are running.
   *
   * @throws IllegalStateException with the status, as soon as something failed or after the bound
   */
  public void awaitRunning(String name, int tasks) {
    await(
        name,
        "RUNNING with " + tasks + " tasks",
        status -> {
          if (status.hasFailed()) {
            throw new IllegalStateException(name + " has failed: " + status);
          }
          return status.isRunning(tasks);
        });
  }

  /** Waits until the connector or one of its tasks has failed, and returns the status. */
  public ConnectorStatus awaitFailed(String name) {
    await(name, "FAILED", ConnectorStatus::hasFailed);
    return status(name);
  }

  /** Waits until the worker serves requests and is a member of its group. */
  void awaitHealthy(BooleanSupplier alive, Supplier<String> details) {
    Waiting.until(
        "a healthy worker",
        () -> {
          if (!alive.getAsBoolean()) {
            throw new IllegalStateException("the worker did not start: " + details.get());
          }
          return answers();
        },
        details);
  }

  private boolean answers() {
    try {
      // Listing connectors would be answered already before the worker has read its topics.
      http.once("GET", "/health", null);
      return true;
    } catch (RestFailure | UncheckedIOException e) {
      // Not up yet; the wait around this is bounded.
      return false;
    }
  }

  private interface StatusCondition {
    boolean holds(ConnectorStatus status);
  }

  private void await(String name, String what, StatusCondition condition) {
    Waiting.until(
        name + " to be " + what,
        () -> {
          try {
            return condition.holds(status(name));
          } catch (RestFailure e) {
            // A connector that was just created has no status yet.
            if (e.status() == 404) {
              return false;
            }
            throw e;
          }
        },
        () -> lastStatus(name));
  }

  private String lastStatus(String name) {
    try {
      return status(name).toString();
    } catch (RestFailure e) {
      return e.getMessage();
    }
  }

  private static String at(String name, String rest) {
    return "/connectors/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + rest;
  }
}
