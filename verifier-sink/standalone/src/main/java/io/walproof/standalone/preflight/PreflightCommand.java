package io.walproof.standalone.preflight;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.contract.Time;
import io.walproof.contract.finding.Finding;
import io.walproof.contract.finding.Grade;
import io.walproof.standalone.ExitStatus;
import io.walproof.standalone.run.RunSettingsLoader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code walproof preflight}. */
@Command(
    name = "preflight",
    description = {
      "Tells what would keep a run from starting or from proving anything, each with the SQL or"
          + " the setting that mends it.",
      "It leaves nothing behind but one logical message in the source's WAL. Exit status 1 if"
          + " anything fails."
    })
public final class PreflightCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "The properties file that the run will use.")
  private Path config;

  @Option(names = "--json", description = "Print JSON for machines.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    List<Finding> findings =
        Preflight.run(
            RunSettingsLoader.load(config),
            Time.system(),
            text -> {
              err.println(text);
              err.flush();
            });
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(json(findings));
    } else {
      print(findings, out);
    }
    out.flush();
    return (Preflight.count(findings, Grade.FAILURE) > 0 ? ExitStatus.ERROR : ExitStatus.CLEAN)
        .code();
  }

  private static void print(List<Finding> findings, PrintWriter out) {
    for (Finding finding : findings) {
      out.println(
          String.format(
              Locale.ROOT,
              "%-8s %-20s %s",
              word(finding.grade()),
              finding.check().text(),
              finding.text()));
      if (finding.grade() != Grade.OK) {
        out.println(" ".repeat(30) + "why: " + finding.check().why());
      }
    }
    out.println(
        Preflight.count(findings, Grade.FAILURE)
            + " failed, "
            + Preflight.count(findings, Grade.WARNING)
            + " warnings, "
            + Preflight.count(findings, Grade.OK)
            + " ok");
  }

  private static String word(Grade grade) {
    return switch (grade) {
      case OK -> "ok";
      case WARNING -> "warning";
      case FAILURE -> "FAILED";
    };
  }

  private static String json(List<Finding> findings) {
    ObjectMapper mapper = JsonMapper.builder().build();
    ObjectNode report = mapper.createObjectNode();
    report.put("failed", Preflight.count(findings, Grade.FAILURE));
    report.put("warnings", Preflight.count(findings, Grade.WARNING));
    ArrayNode list = report.putArray("findings");
    for (Finding finding : findings) {
      ObjectNode entry = list.addObject();
      entry.put("check", finding.check().text());
      entry.put("grade", finding.grade().name().toLowerCase(Locale.ROOT));
      entry.put("text", finding.text());
      entry.put("why", finding.check().why());
    }
    return report.toString();
  }
}
