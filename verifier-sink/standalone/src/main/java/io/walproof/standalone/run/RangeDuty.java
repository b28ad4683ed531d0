package io.walproof.standalone.run;

import io.walproof.verifier.range.RangeLimits;
import io.walproof.verifier.schedule.ScheduleSettings;
import io.walproof.verifier.schedule.TableFilter;
import java.util.Objects;

/**
 * The range checks that a run does by itself.
 *
 * @param schedule when they begin
 * @param limits their bounds
 * @param filter which tables the connector's filters let through
 */
public record RangeDuty(ScheduleSettings schedule, RangeLimits limits, TableFilter filter) {

  /** All are required. */
  public RangeDuty {
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(filter, "filter");
  }
}
