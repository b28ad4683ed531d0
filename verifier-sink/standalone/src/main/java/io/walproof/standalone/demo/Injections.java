package io.walproof.standalone.demo;

import io.walproof.contract.DriftEvent;
import io.walproof.standalone.demo.Evidence.Verdicts;
import io.walproof.verifier.model.AuditEntry.Decision;
import io.walproof.verifier.model.IncompleteReason;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.model.Verdict.Unresolved.Kind;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The demo's six faults, in order. */
final class Injections {

  private static final long CHANGED_ORDER = DemoWorkload.RESERVED_IDS;
  private static final long DELETED_ORDER = DemoWorkload.RESERVED_IDS + 1;
  private static final long FIRST_PAUSED_ORDER = DemoWorkload.RESERVED_IDS + 10;
  private static final int PAUSED_ORDERS = 20;
  private static final long STOPPED_ORDER = DemoWorkload.RESERVED_IDS + 50;
  private static final long ALTERED_ORDER = DemoWorkload.RESERVED_IDS + 60;
  private static final long QUIET_ORDER = DemoWorkload.RESERVED_IDS + 70;

  private Injections() {}

  static List<Injection> all() {
    return List.of(
        new TargetRowTampered(
            "a row changed on the target",
            "unresolved: different, column total",
            CHANGED_ORDER,
            "UPDATE public.orders SET total = total + 1 WHERE id = " + CHANGED_ORDER,
            Kind.DIFFERENT,
            List.of("total")),
        new TargetRowTampered(
            "a row deleted on the target",
            "unresolved: missing",
            DELETED_ORDER,
            "DELETE FROM public.orders WHERE id = " + DELETED_ORDER,
            Kind.MISSING,
            List.of()),
        new ApplierPaused(),
        new ApplierStopped(),
        new TypeChangedWhileStopped(),
        new CleanRestart());
  }

  /** The orders whose confirmed failures are expected. */
  static List<Long> expectedFailures() {
    return List.of(CHANGED_ORDER, DELETED_ORDER);
  }

  /** A row is written through the pipeline and, once it arrived, tampered with on the target. */
  private record TargetRowTampered(
      String injected,
      String expected,
      long order,
      String tampering,
      Kind kind,
      List<String> columns)
      implements Injection {

    private static final int ATTEMPTS = 5;

    @Override
    public Outcome run(Stage stage) throws SQLException, TimeoutException, InterruptedException {
      stage.placeOrder(order);
      int mark = stage.evidence().mark();
      long at = stage.time().nanoTime();
      Optional<Decision> decision = Optional.empty();
      for (int attempt = 1; attempt <= ATTEMPTS && decision.isEmpty(); attempt++) {
        // Walproof checks rows that change. Should it have read this one before the tampering, on a
        // slow machine, then touch it once more.
        if (attempt > 1) {
          stage.placeOrder(order);
        }
        stage.awaitOnTarget("total", order, "10.00");
        at = stage.time().nanoTime();
        stage.servers().onTarget(tampering);
        decision =
            stage.evidence().await(stage.patience(), () -> stage.evidence().decision(mark, order));
        if (decision.isEmpty()) {
          stage.servers().onSource("DELETE FROM public.orders WHERE id = " + order);
          stage.servers().onTarget("DELETE FROM public.orders WHERE id = " + order);
        }
      }
      boolean right =
          decision
              .map(
                  d ->
                      d.verdict().equals(new Verdict.Unresolved(kind))
                          && d.columns().equals(columns))
              .orElse(false);
      String found =
          decision
              .map(
                  d ->
                      Verdicts.inWords(d.verdict())
                          + (d.columns().isEmpty()
                              ? ""
                              : ", column " + String.join(", ", d.columns())))
              .orElse("nothing");
      return new Outcome(right, found, at);
    }
  }

  /** Rows change while the applier pauses; it goes on before their recheck. */
  private record ApplierPaused() implements Injection {
    @Override
    public String injected() {
      return "the applier paused, then went on";
    }

    @Override
    public String expected() {
      return "converged, no failure";
    }

    @Override
    public Outcome run(Stage stage) throws SQLException, TimeoutException, InterruptedException {
      List<Long> orders =
          LongStream.range(FIRST_PAUSED_ORDER, FIRST_PAUSED_ORDER + PAUSED_ORDERS).boxed().toList();
      stage.servers().pauseApplier();
      int mark = stage.evidence().mark();
      long at = stage.time().nanoTime();
      for (long order : orders) {
        stage.placeOrder(order);
      }
      boolean seen =
          stage
              .evidence()
              .await(
                  stage.patience(),
                  () ->
                      orders.stream().allMatch(o -> stage.evidence().observed(mark, o))
                          ? Optional.of(true)
                          : Optional.empty())
              .isPresent();
      stage.announce("the mismatches are on hold; the applier goes on");
      stage.servers().resumeApplier();
      Optional<List<Decision>> decisions =
          stage.evidence().await(stage.patience(), () -> all(stage.evidence(), mark, orders));
      String found =
          decisions
              .map(
                  ds ->
                      ds.stream()
                          .collect(
                              Collectors.groupingBy(
                                  d -> Verdicts.inWords(d.verdict()), Collectors.counting()))
                          .entrySet()
                          .stream()
                          .map(e -> e.getValue() + " " + e.getKey())
                          .collect(Collectors.joining(", ")))
              .orElse("no decision");
      boolean right =
          seen
              && decisions
                  .map(ds -> ds.stream().allMatch(d -> d.verdict().equals(new Verdict.Converged())))
                  .orElse(false);
      return new Outcome(right, found, at);
    }

    private static Optional<List<Decision>> all(Evidence evidence, int mark, List<Long> orders) {
      List<Decision> found = new ArrayList<>();
      for (long order : orders) {
        evidence.decision(mark, order).ifPresent(found::add);
      }
      return found.size() == orders.size() ? Optional.of(found) : Optional.empty();
    }
  }

  /** The applier stays stopped: nothing is proven, so nothing may be called missing. */
  private record ApplierStopped() implements Injection {
    @Override
    public String injected() {
      return "the applier stopped for good";
    }

    @Override
    public String expected() {
      return "incomplete, not missing";
    }

    @Override
    public Outcome run(Stage stage) throws SQLException, TimeoutException, InterruptedException {
      stage.servers().pauseApplier();
      int mark = stage.evidence().mark();
      long at = stage.time().nanoTime();
      stage.placeOrder(STOPPED_ORDER);
      Optional<Decision> decision =
          stage
              .evidence()
              .await(stage.patience(), () -> stage.evidence().decision(mark, STOPPED_ORDER));
      stage.servers().resumeApplier();
      stage.announce("the applier is started again for what follows");
      stage.awaitOnTarget("status", STOPPED_ORDER, "new");
      boolean right =
          decision
              .map(
                  d ->
                      d.verdict()
                          .equals(new Verdict.Incomplete(IncompleteReason.REPLAY_NOT_CONFIRMED)))
              .orElse(false);
      return new Outcome(
          right, decision.map(d -> Verdicts.inWords(d.verdict())).orElse("no decision"), at);
    }
  }

  /** pgoutput carries no DDL: the change is seen by the hash that the offsets kept. */
  private record TypeChangedWhileStopped() implements Injection {
    private static String inWords(DriftEvent event) {
      return "drift: "
          + event.changes().stream()
              .map(
                  c ->
                      "column "
                          + c.column()
                          + ", "
                          + words(c.what())
                          + " "
                          + c.before()
                          + " to "
                          + c.after())
              .collect(Collectors.joining("; "));
    }

    private static String words(DriftEvent.ColumnChange.What what) {
      return what.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    @Override
    public String injected() {
      return "a column type changed while Walproof was stopped";
    }

    @Override
    public String expected() {
      return "drift: column status";
    }

    @Override
    public Outcome run(Stage stage) throws SQLException, TimeoutException, InterruptedException {
      stage.stopWalproof();
      String ddl = "ALTER TABLE public.orders ALTER COLUMN status TYPE varchar(20)";
      stage.servers().onTarget(ddl);
      stage.servers().onSource(ddl);
      long at = stage.time().nanoTime();
      int mark = stage.evidence().mark();
      stage.announce("Walproof starts again");
      stage.startWalproof();
      stage.placeOrder(ALTERED_ORDER);
      Optional<DriftEvent> event =
          stage
              .evidence()
              .await(stage.patience(), () -> stage.evidence().drift(mark).stream().findFirst());
      boolean right =
          event
              .map(
                  e ->
                      e.table().equals(Optional.of(Evidence.ORDERS))
                          && e.changes().stream()
                              .map(DriftEvent.ColumnChange::column)
                              .distinct()
                              .toList()
                              .equals(List.of("status")))
              .orElse(false);
      return new Outcome(right, event.map(TypeChangedWhileStopped::inWords).orElse("nothing"), at);
    }
  }

  /** Restarting changes nothing, so nothing may be reported. */
  private record CleanRestart() implements Injection {
    @Override
    public String injected() {
      return "a clean restart";
    }

    @Override
    public String expected() {
      return "silence";
    }

    @Override
    public Outcome run(Stage stage) throws SQLException, TimeoutException, InterruptedException {
      stage.stopWalproof();
      int mark = stage.evidence().mark();
      long at = stage.time().nanoTime();
      stage.startWalproof();
      stage.placeOrder(QUIET_ORDER);
      // The order's own arrival is not observable: a match leaves no record. So tamper with nothing
      // and wait for proof that the stream has moved past it: an unmatched key does leave one.
      long witness = QUIET_ORDER + 1;
      stage.servers().pauseApplier();
      stage.placeOrder(witness);
      Optional<Boolean> passed =
          stage
              .evidence()
              .await(
                  stage.patience(),
                  () ->
                      stage.evidence().observed(mark, witness)
                          ? Optional.of(true)
                          : Optional.empty());
      stage.servers().resumeApplier();
      Optional<Decision> decision =
          stage.evidence().await(stage.patience(), () -> stage.evidence().decision(mark, witness));
      int drift = stage.evidence().drift(mark).size();
      boolean silent =
          passed.isPresent()
              && decision.isPresent()
              && drift == 0
              && stage.evidence().decisions(mark).stream()
                  .noneMatch(d -> d.verdict() instanceof Verdict.Unresolved);
      return new Outcome(silent, silent ? "silence" : drift + " drift events, or failures", at);
    }
  }
}
