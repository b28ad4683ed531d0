package io.walproof.standalone;

import static io.walproof.standalone.WrongInput.refused;
import static io.walproof.standalone.WrongInput.setting;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is wrong with settings and files is told in a message that names the thing, the setting and
 * the way out, and no secret gets anywhere, at no log level.
 */
class WrongSettingsIT extends WrongInputCase {

  static Stream<WrongInput> settings() {
    return Stream.of(
        refused(
            "misspelt setting",
            setting("verify.setle.ms", "5"),
            "'verify.setle.ms'",
            "did you mean 'verify.settle.ms'?"),
        refused(
            "unknown setting",
            setting("nothing.of.the.kind", Operated.SECRET),
            "'nothing.of.the.kind'",
            "remove the line"),
        refused(
            "misspelt secret of the target",
            setting("verify.target.pasword", Operated.SECRET),
            "did you mean 'verify.target.password'?"),
        refused(
            "misspelt secret of the source",
            setting("database.pasword", Operated.SECRET),
            "did you mean 'database.password'?"),
        refused(
            "secret as a number",
            setting("verify.batch.rows", Operated.SECRET),
            "'verify.batch.rows' must be a whole number"),
        refused(
            "secret as a choice",
            setting("snapshot.mode", Operated.SECRET),
            "'snapshot.mode' must be one of"),
        refused(
            "secret in a URL of another kind",
            setting("verify.target.jdbc.url", "jdbc:mysql://h/d?password=" + Operated.SECRET),
            "'verify.target.jdbc.url' must be a URL such as jdbc:postgresql:"),
        refused(
            "secret in a URL that the driver refuses",
            setting(
                "verify.target.jdbc.url", "jdbc:postgresql://h:port/d?password=" + Operated.SECRET),
            "verify.target.jdbc.url"),
        refused(
            "no target",
            operated -> operated.without("verify.target.jdbc.url"),
            "'verify.target.jdbc.url' is missing"),
        refused(
            "no source", operated -> operated.without("database.hostname"), "'database.hostname'"),
        refused("no user", operated -> operated.without("database.user"), "'database.user'"));
  }

  static Stream<WrongInput> files() {
    return Stream.of(
        refused(
            "state.dir is a file",
            operated ->
                operated.with(
                    "state.dir", Files.createFile(operated.directory.resolve("file")).toString()),
            "state.dir must name a directory that this user may write"),
        refused(
            "the audit's folder is a file",
            operated -> {
              Files.createDirectory(operated.state);
              Files.createFile(operated.state.resolve("log"));
            },
            "log",
            "audit"),
        refused(
            "damaged offsets",
            operated -> {
              Files.createDirectory(operated.state);
              Files.writeString(
                  operated.state.resolve("offsets.json"), "walproof-position 1 0\n{}\n");
            },
            "offsets.json is damaged",
            "move it away"));
  }

  @ParameterizedTest
  @MethodSource({"settings", "files"})
  void isRefusedWithAMessage(WrongInput wrong) throws Exception {
    wrong.assertRefused(operated);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1,", ",1", "1,,2", "foo", "1.5", "9223372036854775808"})
  void ignoredAppsThatAreNone(String apps) throws Exception {
    Operated.Outcome end = operated.with("verify.ignore.apps", apps).run();
    assertThat(end.status()).isEqualTo(1);
    assertThat(end.out()).isEmpty();
    assertThat(end.err()).contains("'verify.ignore.apps' entry ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "30", "-1s", "1d", "1.5s", ""})
  void durationsThatAreNone(String duration) throws Exception {
    Operated.Outcome end = operated.run("--until-idle", duration);
    assertThat(end.status()).isEqualTo(1);
    assertThat(end.out()).isEmpty();
    assertThat(end.err()).contains("--until-idle", "is not a duration such as 500ms, 30s, 2m");
  }
}
