package io.walproof.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benches work, small; how fast things are is none of a test's business. */
class BenchIT {

  private static final Path JAR = Path.of("target", "walproof.jar").toAbsolutePath();
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir Path dir;

  @Test
  void measuresEverythingAndPrintsOneJsonObject() throws Exception {
    Path out = dir.resolve("out.json");
    Path err = dir.resolve("err.txt");
    Path baseline = dir.resolve("baseline.json");
    int status =
        run(
            out,
            err,
            ("--only engine,keys,heap,range,history,tables,start,versions,queue --json --rounds 1"
                    + " --changes 6000 --keys 500 --batch 100 --pending 300 --tables 1000"
                    + " --rows 10000 --large-rows 10000 --run-tables 1 --hot-keys 100"
                    + " --write-baseline "
                    + baseline)
                .split(" "));
    assertThat(Files.readAllLines(out)).as(Files.readString(err)).hasSize(1);
    JsonNode report = JsonMapper.builder().build().readTree(Files.readString(out));
    assertThat(report.get("processors").isInt()).isTrue();
    // Either is right; which one it is says something about this machine now.
    assertThat(status).isEqualTo(report.get("all_hold").booleanValue() ? 0 : 1);
    List<String> benches = new ArrayList<>();
    for (JsonNode finding : report.get("findings")) {
      benches.add(finding.get("bench").textValue());
      assertThat(finding.get("value").doubleValue()).isPositive();
      assertThat(finding.get("bound").doubleValue()).isPositive();
      assertThat(finding.get("holds").isBoolean()).isTrue();
    }
    List<String> expected = new ArrayList<>(List.of("engine", "engine"));
    // Two throughputs, two verifiers, CPU, and three rates of mismatches.
    expected.addAll(Collections.nCopies(7, "keys"));
    expected.addAll(List.of("heap", "heap"));
    expected.addAll(Collections.nCopies(12, "range"));
    // Bytes per table and per version, and the cost of a record, of 100 and of 1,000 tables;
    // growth.
    expected.addAll(Collections.nCopies(7, "history"));
    expected.addAll(List.of("tables", "start", "versions", "queue", "queue"));
    assertThat(benches).isEqualTo(expected);
    assertThat(report.get("worse_than_baseline")).isEmpty();
    comparesWithABaseline(baseline);
  }

  /** Of the bench that needs no server; what it measures now is never a millionth of that. */
  private void comparesWithABaseline(Path written) throws Exception {
    ObjectNode better = (ObjectNode) JsonMapper.builder().build().readTree(written.toFile());
    for (JsonNode finding : better.get("findings")) {
      ((ObjectNode) finding).put("value", finding.get("value").doubleValue() / 1e6);
    }
    Path file = dir.resolve("better.json");
    Files.writeString(file, better.toString());
    Path out = dir.resolve("compared.json");
    Path err = dir.resolve("compared.txt");
    String sizes = "--only queue --rounds 1 --pending 300 --tables 300 --json --baseline ";
    assertThat(run(out, err, (sizes + file).split(" "))).isEqualTo(1);
    JsonNode worse =
        JsonMapper.builder().build().readTree(Files.readString(out)).get("worse_than_baseline");
    assertThat(worse).as(Files.readString(err)).hasSize(2);
    assertThat(worse.get(0).textValue()).startsWith("queue: growth: ");
  }

  /** Short as it is, it must find all and nothing else; whether it is fast is not judged here. */
  @Test
  void aSoakFindsEveryFaultAndNothingElse() throws Exception {
    Path out = dir.resolve("out.json");
    Path err = dir.resolve("err.txt");
    int status = run(out, err, "--only", "soak", "--duration", "30s", "--json");
    String told = Files.readString(err);
    JsonNode report = JsonMapper.builder().build().readTree(Files.readString(out));
    assertThat(status).as(told).isEqualTo(report.get("all_hold").booleanValue() ? 0 : 1);
    List<String> figures = new ArrayList<>();
    for (JsonNode finding : report.get("findings")) {
      String figure = finding.get("figure").textValue();
      figures.add(figure.replaceAll(" [0-9]+$", ""));
      if (!figure.startsWith("longest time")) {
        assertThat(finding.get("holds").booleanValue()).as(finding + told).isTrue();
      }
    }
    assertThat(figures)
        .containsExactly(
            "faults found, of",
            "faults missed",
            "false reports",
            "keys left unjudged",
            "longest time to a verdict, changed rows",
            "longest time to a verdict, rows left alone",
            "growth of heap after a collection",
            "growth of threads",
            "growth of file handles",
            "growth of connections",
            "growth of slot lag");
  }

  @Test
  void refusesNumbersThatMeasureNothing() throws Exception {
    Path err = dir.resolve("err.txt");
    assertThat(run(dir.resolve("out.txt"), err, "--rounds", "0")).isEqualTo(1);
    assertThat(Files.readString(err)).contains("--rounds must be at least 1");
    assertThat(run(dir.resolve("out.txt"), err, "--baseline", dir + "/none.json")).isEqualTo(1);
    assertThat(Files.readString(err)).contains("there is no baseline");
    assertThat(run(dir.resolve("out.txt"), err, "--tolerance", "-1")).isEqualTo(1);
    assertThat(Files.readString(err)).contains("--tolerance must be");
    assertThat(run(dir.resolve("out.txt"), err, "--only", "soak", "--duration", "5s")).isEqualTo(1);
    assertThat(Files.readString(err)).contains("--duration must be at least 30s");
  }

  private static int run(Path out, Path err, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(JAVA, "-jar", JAR.toString(), "bench"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("bench ends in time").isTrue();
      return process.exitValue();
    } finally {
      process.destroy();
    }
  }
}
