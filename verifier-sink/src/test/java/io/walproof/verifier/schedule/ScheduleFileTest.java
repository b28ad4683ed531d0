package io.walproof.verifier.schedule;

import static io.walproof.verifier.schedule.Schedules.A;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.RangeException;
import io.walproof.verifier.schedule.ScheduleFile.Open;
import io.walproof.verifier.schedule.Trigger.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduleFileTest {

  @TempDir Path directory;

  @Test
  void whatIsOpenAndWhenTheScheduleBeganIsReadAgain() throws Exception {
    ScheduleFile file = ScheduleFile.in(directory);
    Open odd = new Open(Reason.RECREATED, Optional.of(new TableId("S \"x\"", "t.ü")));
    Open all = new Open(Reason.GAP, Optional.empty());
    file.add(odd);
    file.add(all);
    file.scheduled(Instant.parse("2026-01-02T03:04:05.678Z"));
    ScheduleFile again = ScheduleFile.in(directory);
    assertThat(again.open()).containsExactly(odd, all);
    assertThat(again.lastScheduled()).contains(Instant.parse("2026-01-02T03:04:05.678Z"));
    again.remove(odd);
    assertThat(ScheduleFile.in(directory).open()).containsExactly(all);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("schedule.json"))))
        .isEqualTo("rw-------");
  }

  /** The second of two reasons of a kind is open while its own check is. */
  @Test
  void aReasonIsOpenUntilTheLastOfItsKindIsDone() {
    ScheduleFile file = ScheduleFile.in(directory);
    Open open = new Open(Reason.RECREATED, Optional.of(A));
    file.add(open);
    file.add(open);
    file.remove(open);
    assertThat(ScheduleFile.in(directory).open()).containsExactly(open);
    file.remove(open);
    assertThat(ScheduleFile.in(directory).open()).isEmpty();
  }

  @Test
  void anUnknownVersionIsRefusedWithTheWayOut() throws Exception {
    Files.writeString(directory.resolve("schedule.json"), "{\"v\":2,\"open\":[]}");
    assertThatThrownBy(() -> ScheduleFile.in(directory))
        .isInstanceOf(RangeException.class)
        .hasMessageContaining("schedule.json")
        .hasMessageContaining("remove the file");
  }
}
