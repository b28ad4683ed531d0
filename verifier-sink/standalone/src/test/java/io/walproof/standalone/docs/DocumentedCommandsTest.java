package io.walproof.standalone.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.walproof.standalone.WalproofCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;

/** The documents' commands are understood. That they work is for {@code DocumentedCommandsIT}. */
class DocumentedCommandsTest {

  @Test
  void everyCommandIsParsed() throws IOException {
    assertThat(DocumentedCommands.ofJar()).hasSizeGreaterThan(12);
    for (String command : DocumentedCommands.ofJar()) {
      assertThatCode(() -> parse(command)).as(command).doesNotThrowAnyException();
    }
  }

  @Test
  void everyCommandInASentenceIsParsedAsFarAsItGoes() throws IOException {
    assertThat(DocumentedCommands.inSentences()).hasSizeGreaterThan(8);
    for (String command : DocumentedCommands.inSentences()) {
      // T stands for a table and K=V for a column and its value.
      String whole = command.replaceAll(" T\\b", " public.t").replace("K=V", "id=1");
      assertThatCode(
              () -> {
                try {
                  parse(whole);
                } catch (MissingParameterException e) {
                  // Such as the name of the file that an option takes.
                  assertThat(e.getMessage()).contains("Missing required");
                }
              })
          .as(command)
          .doesNotThrowAnyException();
    }
  }

  private static void parse(String command) {
    CommandLine line =
        new CommandLine(new WalproofCommand()).setCaseInsensitiveEnumValuesAllowed(true);
    assertThat(line.parseArgs(command.split(" ", -1)).hasSubcommand()).as(command).isTrue();
  }

  /** Modules that there are, and tests that are in them. */
  @Test
  void everyCallOfTheWrapperNamesWhatExists() throws IOException {
    assertThat(DocumentedCommands.ofWrapper()).hasSizeGreaterThan(3);
    Path root = DocFiles.readme().getParent();
    for (String call : DocumentedCommands.ofWrapper()) {
      List<String> modules = option(call, "-pl ([\\w/,-]+)");
      for (String module : modules) {
        assertThat(root.resolve(module).resolve("pom.xml")).as(call).exists();
      }
      for (String test : option(call, "-D(?:it\\.)?test=(\\w+)")) {
        // What names no test turns that kind off.
        if (!test.equals("none")) {
          assertThat(modules.stream().anyMatch(module -> has(root.resolve(module), test)))
              .as("%s in %s", test, call)
              .isTrue();
        }
      }
    }
  }

  private static List<String> option(String call, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(call);
    return matcher.results().flatMap(found -> Stream.of(found.group(1).split(",", -1))).toList();
  }

  private static boolean has(Path module, String test) {
    Path tests = module.resolve("src/test/java");
    if (!Files.isDirectory(tests)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(tests)) {
      return files.anyMatch(file -> file.endsWith(test + ".java"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
