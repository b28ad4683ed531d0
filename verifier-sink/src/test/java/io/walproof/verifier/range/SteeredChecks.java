package io.walproof.verifier.range;

import io.walproof.contract.RowKey;
import io.walproof.contract.TableId;
import io.walproof.verifier.model.AuditEntry;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import io.walproof.verifier.model.Verdict;
import io.walproof.verifier.row.SimulatedSides;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;

/** Key checks that decide each key as they are told to. For one thread. */
final class SteeredChecks implements KeyChecks {

  private final Findings findings;
  private final Set<Integer> submitted = new TreeSet<>();
  private final List<AuditEntry> recorded = new ArrayList<>();
  private IntFunction<Optional<Verdict>> verdicts = key -> Optional.empty();
  private boolean takes = true;
  private boolean decides = true;
  private Runnable meanwhile = () -> {};

  SteeredChecks(Findings findings) {
    this.findings = findings;
  }

  void always(Verdict verdict) {
    verdicts = key -> Optional.of(verdict);
  }

  void never() {
    verdicts = key -> Optional.empty();
  }

  void each(IntFunction<Optional<Verdict>> wanted) {
    verdicts = wanted;
  }

  void decide(boolean wanted) {
    decides = wanted;
  }

  void refuse() {
    takes = false;
  }

  void meanwhile(Runnable action) {
    meanwhile = action;
  }

  Set<Integer> submitted() {
    return submitted;
  }

  List<AuditEntry> recorded() {
    return recorded;
  }

  @Override
  public boolean submit(TableId table, RowKey key) {
    submitted.add(SimulatedSides.number(key));
    return takes;
  }

  @Override
  public boolean awaitDecided(Deadline until, Cancellation stop) {
    meanwhile.run();
    for (int key : submitted) {
      verdicts.apply(key).ifPresent(is -> findings.accept(List.of(decision(key, is))));
    }
    return decides;
  }

  @Override
  public void record(AuditEntry entry) {
    recorded.add(entry);
  }

  static AuditEntry decision(int key, Verdict verdict) {
    return new AuditEntry.Decision(
        AuditEntry.Stratum.RANGE,
        SimulatedSides.table(),
        key(key),
        verdict,
        List.of(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  static RowKey key(int key) {
    return new RowKey(List.of(new RowKey.Column("id", Integer.toString(key))));
  }
}
