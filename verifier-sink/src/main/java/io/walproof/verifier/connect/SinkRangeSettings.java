package io.walproof.verifier.connect;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.RangeLimits;
import io.walproof.verifier.schedule.ScheduleSettings;
import io.walproof.verifier.schedule.TableFilter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The range checks that one task does by itself.
 *
 * @param schedule when they begin
 * @param limits their bounds
 * @param filter which tables they cover
 * @param driftTopic {@code verify.range.drift.topic}
 * @param task the task's number
 * @param tasks how many tasks there are
 */
public record SinkRangeSettings(
    ScheduleSettings schedule,
    RangeLimits limits,
    TableFilter filter,
    Optional<String> driftTopic,
    int task,
    int tasks) {

  /** All are required. */
  public SinkRangeSettings {
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(driftTopic, "driftTopic");
    if (task < 0 || tasks <= task) {
      throw new IllegalArgumentException("a task's number is below the number of tasks");
    }
  }

  /**
   * Whether one task does all checks: drift events arrive at the task that has the drift topic, and
   * no two tasks may check one table. Otherwise tables are divided.
   */
  boolean byDriftTopic() {
    return schedule.onDrift() && tasks > 1;
  }

  /** Whether the table's checks are this task's, where tables are divided by their names. */
  boolean isMine(TableId table) {
    if (schedule.onDrift()) {
      return true;
    }
    CRC32 hash = new CRC32();
    hash.update(table.toString().getBytes(StandardCharsets.UTF_8));
    return hash.getValue() % tasks == task;
  }
}
