package io.walproof.standalone.status;

import static io.walproof.standalone.WrittenAudit.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.walproof.contract.DriftEvent;
import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.standalone.WrittenAudit;
import io.walproof.standalone.settings.StatusLimits;
import io.walproof.standalone.settings.StatusListen;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser; skipped, saying so, where there is none. */
class StatusPageIT {

  private static final TableId HOSTILE =
      new TableId("public", "x\"></h1><script>document.title='owned'</script>\u202e");
  private static final String HOSTILE_KEY =
      "</summary><img src=x onerror=\"document.title='owned'\">'";
  private static final Path PICTURES = Path.of("target", "status-pages");

  /** The lowest contrast of any visible text against what is behind it. */
  private static final String LOWEST_CONTRAST =
      """
      (() => {
        const rgb = c => (c.match(/[\\d.]+/g) || []).map(Number);
        const light = c => { const [r, g, b] = c.slice(0, 3).map(v => { v /= 255;
          return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
          return .2126 * r + .7152 * g + .0722 * b; };
        const behind = e => { for (; e; e = e.parentElement) {
          const c = rgb(getComputedStyle(e).backgroundColor);
          if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
        let lowest = 99;
        for (const e of document.querySelectorAll('body *')) {
          const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
          if (!own || !e.getClientRects().length || e.closest('.skip, .quiet-speech')) continue;
          const a = light(rgb(getComputedStyle(e).color)), b = light(behind(e));
          lowest = Math.min(lowest, (Math.max(a, b) + .05) / (Math.min(a, b) + .05));
        }
        return lowest;
      })()""";

  private static Browser browser;

  @TempDir static Path profile;
  @TempDir Path dir;

  private WrittenAudit audit;
  private StatusModel model;
  private FileFeed feed;
  private StatusServer server;

  @BeforeAll
  static void open() throws Exception {
    Optional<Path> executable = Browser.executable();
    assumeTrue(
        executable.isPresent(),
        "no chromium is installed: the status page is not tested in a browser");
    browser = Browser.open(executable.get(), profile.resolve("profile"));
  }

  @AfterAll
  static void quit() throws Exception {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void serve() throws Exception {
    audit = new WrittenAudit(dir.resolve("state")).append(WrittenAudit.start());
    model = StatusModel.ofFile(StatusLimits.defaults(), audit.file());
    feed = FileFeed.start(audit.file(), model, Time.system());
    server = serveAt(0);
    browser.dark(false);
    browser.size(1280, 900);
  }

  private StatusServer serveAt(int port) {
    StatusServer at =
        StatusServer.start(StatusListen.of("127.0.0.1:" + port, Optional.empty()), Time.system());
    at.show(() -> model.at(audit.now(), Optional.empty()));
    return at;
  }

  @AfterEach
  void end() {
    server.close();
    feed.close();
    audit.close();
    assertThat(browser.complaints()).as("scripts and policy").isEmpty();
  }

  private void look() throws Exception {
    browser.go("http://127.0.0.1:" + server.port() + "/");
  }

  private void await(String health) {
    browser.until("document.getElementById('main').dataset.health === '" + health + "'");
  }

  private void picture(String name) throws Exception {
    browser.screenshot(PICTURES.resolve(name + ".png"));
  }

  private void readable(String name) throws Exception {
    for (boolean dark : List.of(false, true)) {
      browser.dark(dark);
      for (int width : List.of(1280, 360)) {
        browser.size(width, 900);
        assertThat(browser.value("document.documentElement.scrollWidth").asInt())
            .as(name + " fits into " + width)
            .isLessThanOrEqualTo(width);
        assertThat(browser.value(LOWEST_CONTRAST).asDouble())
            .as(name + " contrast, dark " + dark)
            .isGreaterThanOrEqualTo(4.5);
        picture(name + (dark ? "-dark-" : "-light-") + width);
      }
    }
    browser.dark(false);
    browser.size(1280, 900);
  }

  @Test
  void fromNoEvidenceToCleanToPendingToFailing() throws Exception {
    look();
    await("no_evidence");
    assertThat(browser.text(".badge")).isEqualTo("No evidence");

    audit.append(WrittenAudit.summary(ORDERS, WrittenAudit.coverage(120, 0, Map.of())));
    await("clean");
    assertThat(browser.text(".badge")).isEqualTo("Clean");
    assertThat(browser.text("h1")).isEqualTo("Everything that was checked is equal");
    assertThat(browser.text(".verdict"))
        .as("the scope stands where the verdict stands")
        .contains("subscription", "7, 42", "public\\.orders", "Columns not compared\nnone")
        .contains("Columns excluded by setting\nnone", "Columns not published\nnone");
    assertThat(browser.value("document.title").asText()).startsWith("Clean: ");
    readable("clean");

    audit
        .append(
            WrittenAudit.observed(ORDERS, "1"),
            WrittenAudit.summary(ORDERS, WrittenAudit.coverage(120, 1, Map.of())))
        .pass(Duration.ofSeconds(42));
    await("pending");
    assertThat(browser.text(".badge")).isEqualTo("Checking");
    browser.until("document.querySelector('.figures').innerText.includes('42 s')");
    readable("pending");

    audit.append(
        WrittenAudit.observed(ORDERS, "2"),
        WrittenAudit.decided(ORDERS, "2", WrittenAudit.different()),
        WrittenAudit.decided(ORDERS, "3", WrittenAudit.missing()),
        WrittenAudit.decided(ORDERS, "4", WrittenAudit.incomplete()),
        WrittenAudit.drift(DriftEvent.Kind.SHAPE_CHANGED, ORDERS),
        WrittenAudit.drift(DriftEvent.Kind.GAP, ORDERS),
        range(),
        WrittenAudit.summary(
            ORDERS,
            WrittenAudit.coverage(
                120,
                1,
                Map.of("unresolved_different", 1L, "unresolved_missing", 1L, "incomplete", 1L))));
    await("failing");
    assertThat(browser.text("h1")).isEqualTo("2 rows are wrong on the target");
    browser.until("document.querySelector('.verdict').innerText.includes('Still pending: 1')");
    browser.until("document.querySelector('#main').innerText.includes('ALTER TABLE')");
    assertThat(browser.text("#speech")).contains("Failing. 2 rows are wrong");
    browser.value("document.querySelector('details.failure').open = true");
    assertThat(browser.text("details.failure"))
        .contains("0/16B3748", "812", "00112233445566778899aabbccddeeff", "First read, source")
        .contains("000000000000000100000000000000a0", "Recheck, source again", "total");
    readable("failing");
  }

  @Test
  void incompleteIsNeverGreenAndSaysWhy() throws Exception {
    audit.append(
        WrittenAudit.decided(ORDERS, "4", WrittenAudit.incomplete()),
        WrittenAudit.decided(ORDERS, "5", new Verdict.Converged()),
        WrittenAudit.summary(
            ORDERS, WrittenAudit.coverage(50, 0, Map.of("incomplete", 1L, "converged", 1L))));
    look();
    await("incomplete");
    assertThat(browser.text(".badge")).isEqualTo("Incomplete");
    assertThat(browser.text(".reasons")).contains("1 check ended without a judgement");
    assertThat(browser.text(".figures")).contains("replay not confirmed 1");
    readable("incomplete");
  }

  @Test
  void whatComesFromTheDatabasesIsTextAndNothingElse() throws Exception {
    audit.append(
        WrittenAudit.observed(HOSTILE, HOSTILE_KEY),
        WrittenAudit.decided(HOSTILE, HOSTILE_KEY, WrittenAudit.different()),
        WrittenAudit.drift(DriftEvent.Kind.SHAPE_CHANGED, HOSTILE),
        WrittenAudit.summary(
            HOSTILE, WrittenAudit.coverage(1, 0, Map.of("unresolved_different", 1L))));
    look();
    await("failing");
    browser.value("document.querySelector('details.failure').open = true");
    assertThat(browser.text("details.failure summary")).contains(HOSTILE_KEY).contains("\\u202E");
    assertThat(browser.text(".wide tbody th")).contains("<script>");
    assertThat(browser.value("document.scripts.length").asInt()).isEqualTo(1);
    assertThat(browser.value("document.images.length").asInt()).isZero();
    assertThat(browser.value("document.title").asText()).startsWith("Failing: ");
    readable("hostile");
  }

  @Test
  void updatesKeepWhatTheReaderDoes() throws Exception {
    audit.append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.different()));
    look();
    await("failing");
    browser.value("document.querySelector('details.failure summary').focus()");
    browser.press("Enter", 13);
    browser.until("document.querySelector('details.failure').open");
    audit.append(WrittenAudit.decided(ORDERS, "2", WrittenAudit.missing()));
    browser.until("document.querySelectorAll('details.failure').length === 2");
    assertThat(browser.value("document.querySelectorAll('details.failure')[1].open").asBoolean())
        .as("still open")
        .isTrue();
    assertThat(browser.value("document.activeElement.closest('details').id").asText())
        .as("still focused")
        .isEqualTo("f-run-1-2");
  }

  @Test
  void aLostServerIsSaidAndItsReturnToo() throws Exception {
    audit.append(WrittenAudit.summary(ORDERS, WrittenAudit.coverage(120, 0, Map.of())));
    look();
    await("clean");
    int port = server.port();
    server.close();
    browser.until("!document.getElementById('lost').hidden");
    assertThat(browser.text("#lost")).contains("lost", "2026-01-01 00:00:00 UTC", "may be wrong");
    assertThat(browser.value("document.title").asText()).startsWith("Connection lost");
    assertThat(ofRole(browser.accessibility(), "alert")).as("told at once").isEqualTo(1);
    assertThat(browser.value("document.body.classList.contains('stale')").asBoolean()).isTrue();
    picture("lost");
    audit.append(WrittenAudit.decided(ORDERS, "9", WrittenAudit.missing()));
    server = serveAt(port);
    browser.until("document.getElementById('lost').hidden");
    await("failing");
    assertThat(browser.value("document.title").asText()).startsWith("Failing: ");
    assertThat(browser.value("document.body.classList.contains('stale')").asBoolean()).isFalse();
  }

  private void everything() throws Exception {
    audit.append(WrittenAudit.observed(ORDERS, "8")).pass(Duration.ofSeconds(20));
    audit.append(
        WrittenAudit.decided(ORDERS, "8", new Verdict.Converged()),
        WrittenAudit.decided(ORDERS, "1", WrittenAudit.different()),
        WrittenAudit.decided(ORDERS, "2", WrittenAudit.missing()),
        WrittenAudit.decided(ORDERS, "4", WrittenAudit.incomplete()),
        WrittenAudit.drift(DriftEvent.Kind.SHAPE_CHANGED, ORDERS),
        range(),
        WrittenAudit.observed(ORDERS, "9"),
        WrittenAudit.summary(
            ORDERS,
            WrittenAudit.coverage(
                9,
                1,
                Map.of(
                    "converged", 1L,
                    "unresolved_different", 1L,
                    "unresolved_missing", 1L,
                    "incomplete", 1L))));
    look();
    await("failing");
    browser.until("document.querySelectorAll('details.failure').length === 3");
    browser.until("document.querySelector('.bars') && document.querySelector('.timeline')");
    browser.until("document.querySelectorAll('.wide tbody tr').length === 2");
    browser.value("document.querySelectorAll('details').forEach(each => each.open = true)");
  }

  private static long ofRole(List<JsonNode> tree, String role) {
    return tree.stream().filter(node -> node.at("/role/value").asText().equals(role)).count();
  }

  private static List<String> names(List<JsonNode> tree, String role) {
    return tree.stream()
        .filter(node -> node.at("/role/value").asText().equals(role))
        .map(node -> node.at("/name/value").asText())
        .toList();
  }

  private long elements(String selector) throws Exception {
    return browser.value("document.querySelectorAll('" + selector + "').length").asLong();
  }

  /** Also where a narrow screen shows a table's rows as blocks. */
  @Test
  void aScreenReaderIsGivenTheTablesAndTheirNames() throws Exception {
    everything();
    for (int width : List.of(1280, 360)) {
      browser.size(width, 900);
      List<JsonNode> tree = browser.accessibility();
      assertThat(ofRole(tree, "table")).as("at " + width).isEqualTo(elements("table")).isPositive();
      assertThat(ofRole(tree, "row")).as("at " + width).isEqualTo(elements("tr"));
      assertThat(ofRole(tree, "cell")).as("at " + width).isEqualTo(elements("td"));
      assertThat(ofRole(tree, "columnheader"))
          .as("at " + width)
          .isEqualTo(elements("th[scope=col]"));
      assertThat(ofRole(tree, "rowheader")).as("at " + width).isEqualTo(elements("th[scope=row]"));
      assertThat(elements("th:not([scope])") + elements("thead td")).isZero();
      // Chromium knows tables by their elements however they are shown; other readers do not.
      for (String each : List.of("table", "thead", "tbody", "tfoot", "tr", "th", "td")) {
        assertThat(elements(each + ":not([role])")).as(each + " without a role").isZero();
      }
      for (String named : List.of("table", "region", "columnheader", "rowheader", "link")) {
        assertThat(names(tree, named)).as(named).isNotEmpty().doesNotContain("");
      }
      assertThat(names(tree, "region")).as("landmarks").doesNotHaveDuplicates();
      assertThat(names(tree, "DisclosureTriangle"))
          .hasSize((int) elements("summary"))
          .doesNotContain("");
      assertThat(ofRole(tree, "main")).isEqualTo(1);
    }
  }

  @Test
  void everyControlIsReachedByTabAndSeenToBe() throws Exception {
    everything();
    for (int width : List.of(1280, 360)) {
      browser.size(width, 900);
      browser.value("document.activeElement.blur(), window.visited = new Set()");
      long controls = elements("a, summary, [tabindex=\"0\"]");
      for (int step = 0; step <= controls; step++) {
        browser.press("Tab", 9);
        assertThat(
                browser
                    .value(
                        "(() => { const e = document.activeElement; visited.add(e);"
                            + " return e === document.body"
                            + " || getComputedStyle(e).outlineStyle !== 'none'; })()")
                    .asBoolean())
            .as("the focus is seen at " + width + ", step " + step)
            .isTrue();
      }
      assertThat(
              browser
                  .value(
                      "[...document.querySelectorAll('a, summary, [tabindex=\"0\"]')]"
                          + ".filter(e => !visited.has(e)).map(e => e.outerHTML.slice(0, 80))"
                          + ".join(', ')")
                  .asText())
          .as("never reached at " + width)
          .isEmpty();
    }
  }

  @Test
  void itIsReachedByKeyboard() throws Exception {
    audit.append(WrittenAudit.decided(ORDERS, "1", WrittenAudit.different()));
    look();
    await("failing");
    browser.value("document.body.focus()");
    browser.press("Tab", 9);
    assertThat(browser.value("document.activeElement.className").asText()).isEqualTo("skip");
    browser.press("Enter", 13);
    browser.until("document.activeElement.id === 'main'");
    assertThat(
            browser
                .value(
                    "[...document.querySelectorAll('table')].every(t => t.querySelector('th[scope]'))"
                        + " && [...document.querySelectorAll('section')].every("
                        + "s => document.getElementById(s.getAttribute('aria-labelledby')))"
                        + " && document.querySelectorAll('h1').length === 1"
                        + " && document.documentElement.lang === 'en'")
                .asBoolean())
        .isTrue();
  }

  private static AuditEntry range() {
    return new AuditEntry.RangeStart(
        ORDERS,
        "snapshot_cursor",
        Optional.empty(),
        true,
        Optional.of(WrittenAudit.key("5000")),
        true,
        "by_order",
        1,
        false,
        false);
  }
}
