package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.contract.Lsn;
import io.walproof.verifier.core.ReplayStatus;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunCommandTest {

  @Test
  void whatIsKnownOfReplayIsSaidInASentence() {
    assertThat(replay(Optional.empty(), 0, 0))
        .isEqualTo("no recheck was due so far, so replay was not asked for");
    assertThat(replay(Optional.of(Lsn.parse("0/16B3748")), 3, 0))
        .isEqualTo("the target has replayed past 0/16B3748");
    assertThat(replay(Optional.of(Lsn.parse("0/16B3748")), 3, 1_200))
        .isEqualTo("the target has replayed past 0/16B3748, 1,200 waits in vain");
    assertThat(replay(Optional.empty(), 0, 2))
        .isEqualTo("replay was never confirmed, 2 waits in vain");
    assertThat(replay(Optional.empty(), 3, 0))
        .isEqualTo("replay is not waited for (verify.replay.confirmation=none)");
  }

  private static String replay(Optional<Lsn> last, long confirmed, long notConfirmed) {
    return RunCommand.replay(new ReplayStatus(last, Duration.ZERO, confirmed, notConfirmed));
  }
}
