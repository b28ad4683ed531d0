package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;

/**
 * A mistake, and what its message must hold.
 *
 * @param name what is wrong
 * @param mistake makes it so
 * @param told parts of the message: the thing, the setting, the way out
 */
record WrongInput(String name, Mistake mistake, List<String> told) {

  /** Changes settings, servers or files. */
  interface Mistake {
    void make(Operated operated) throws Exception;
  }

  static WrongInput refused(String name, Mistake mistake, String... told) {
    return new WrongInput(name, mistake, List.of(told));
  }

  static Mistake setting(String key, String value) {
    return operated -> operated.with(key, value);
  }

  /** Makes the mistake and runs into it. */
  void assertRefused(Operated operated) throws Exception {
    operated.with("verify.connect.timeout.ms", "1000");
    mistake.make(operated);
    Operated.Outcome end = operated.run("--log-level", "trace", "--until-idle", "1s");
    assertRefused(operated, end, told.toArray(String[]::new));
  }

  /** One message for people, nothing on standard output, and no secret. */
  static void assertRefused(Operated operated, Operated.Outcome end, String... told)
      throws IOException {
    assertThat(end.status()).isEqualTo(ExitStatus.ERROR.code());
    assertThat(end.out()).isEmpty();
    assertThat(end.err()).contains(told).doesNotContain("nobody expected").doesNotContain("\tat ");
    operated.assertNoSecret(end.err());
  }

  @Override
  public String toString() {
    return name;
  }
}
