package io.walproof.standalone.demo;

import io.walproof.contract.Time;
import io.walproof.standalone.ExitStatus;
import io.walproof.standalone.run.RunSettings;
import io.walproof.standalone.run.RunSettingsLoader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code walproof demo}. */
@Command(
    name = "demo",
    description = {
      "Starts two PostgreSQL servers joined by logical replication, writes to the source, injects"
          + " faults, and shows that Walproof finds each of them and reports nothing else.",
      "Takes about two minutes; ends with 0 only if all went as announced."
    })
public final class DemoCommand implements Callable<Integer> {

  @Option(names = "--keep", description = "Leave everything running afterwards, until Ctrl-C.")
  private boolean keep;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where to leave audit, offsets and configuration (default: a new folder).")
  private Path stateDirectory;

  @Override
  public Integer call() throws IOException, SQLException, TimeoutException, InterruptedException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Path state =
        stateDirectory != null ? stateDirectory : Files.createTempDirectory("walproof-demo-");
    Files.createDirectories(state);
    Screen screen = new Screen(out, Terminal.isThere(), Time.system());
    DemoRun run =
        new DemoRun(screen, Time.system(), state.toString(), map -> configuration(state, map));
    try {
      DemoReport report = run.play();
      report.print(out);
      if (keep) {
        run.keep();
      }
      return (report.allFoundAndNothingElse() ? ExitStatus.CLEAN : ExitStatus.ERROR).code();
    } finally {
      run.close();
    }
  }

  /** The demo is configured as any run is: by a file, which stays for a look. */
  private static RunSettings configuration(Path state, Map<String, String> settings) {
    Path file = state.resolve("walproof.properties");
    try (BufferedWriter writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        writer.write(setting.getKey() + "=" + setting.getValue().replace("\\", "\\\\"));
        writer.newLine();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the demo's configuration could not be written", e);
    }
    return RunSettingsLoader.load(file);
  }
}
