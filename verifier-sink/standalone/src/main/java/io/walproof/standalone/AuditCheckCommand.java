package io.walproof.standalone;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.walproof.verifier.audit.AuditCheck;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code walproof audit check}. */
@Command(
    name = "check",
    description = {
      "Checks that no record was edited, removed, moved or added, in closed files too.",
      "Records cut off at the end cannot be seen in the file alone: keep the printed head elsewhere"
          + " and compare. Ends with 1 if the chain is broken."
    })
final class AuditCheckCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private AuditLocation location;

  @Override
  public Integer call() {
    AuditCheck check = AuditCheck.of(location.path());
    PrintWriter out = spec.commandLine().getOut();
    if (location.json()) {
      out.println(json(check));
    } else {
      text(check, out);
    }
    out.flush();
    return (check.isWhole() ? ExitStatus.CLEAN : ExitStatus.ERROR).code();
  }

  private static void text(AuditCheck check, PrintWriter out) {
    out.println("file      " + check.file());
    out.println("records   " + check.records());
    if (check.tornLines() > 0) {
      out.println("cut off   " + check.tornLines() + " (by crashes or full disks, marked)");
    }
    if (check.unfinishedBytes() > 0) {
      out.println(
          "last line "
              + check.unfinishedBytes()
              + " bytes without an end: being written, or cut off and marked at the next start");
    }
    out.println("head      " + check.head());
    if (check.problem().isPresent()) {
      AuditCheck.Problem problem = check.problem().get();
      out.println(
          "chain     BROKEN: "
              + (problem.file().equals(check.file()) ? "" : problem.file() + ", ")
              + "line "
              + problem.line()
              + " "
              + problem.finding());
    } else {
      out.println("chain     whole");
    }
  }

  private static String json(AuditCheck check) {
    ObjectNode json = JsonMapper.builder().build().createObjectNode();
    json.put("file", check.file().toString());
    json.put("whole", check.isWhole());
    json.put("lines", check.lines());
    json.put("records", check.records());
    json.put("torn_lines", check.tornLines());
    json.put("unfinished_bytes", check.unfinishedBytes());
    json.put("head", check.head());
    check
        .problem()
        .ifPresent(
            problem ->
                json.putObject("problem")
                    .put("file", problem.file().toString())
                    .put("line", problem.line())
                    .put("finding", problem.finding()));
    return json.toString();
  }
}
