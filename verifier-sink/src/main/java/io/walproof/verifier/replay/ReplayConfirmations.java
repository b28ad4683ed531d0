package io.walproof.verifier.replay;

import io.walproof.contract.TableId;
import io.walproof.contract.Time;
import io.walproof.verifier.database.Database;
import io.walproof.verifier.database.DatabaseIdentity;
import io.walproof.verifier.database.Outcome;
import io.walproof.verifier.database.TransactionKind;
import io.walproof.verifier.database.Transactions;
import io.walproof.verifier.model.Cancellation;
import io.walproof.verifier.model.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.KafkaException;

/** Makes the configured confirmation after checking on both servers that it can work. */
public final class ReplayConfirmations {

  private static final Duration CHECKS = Duration.ofSeconds(30);

  private static final String CHOICES =
      " Set verify.replay.confirmation to subscription (the target subscribes to this source),"
          + " standby (the target is a physical standby of it), marker_table (the applier keeps"
          + " commit order and carries verify.marker.table), kafka_sink (a Debezium connector and a"
          + " sink carry the changes; never picked by itself), or none (no applier is running).";

  private static final String SOURCE_IS_STANDBY =
      "the source is a standby, where no boundary can be emitted: let verify.source.jdbc.url lead to"
          + " its primary";

  private final ConfirmationSettings settings;
  private final Transactions source;
  private final Transactions target;
  private final Time time;
  private final Deadline deadline;
  private final Cancellation cancel;

  private ReplayConfirmations(
      ConfirmationSettings settings,
      Transactions source,
      Transactions target,
      Time time,
      Cancellation cancel) {
    this.settings = settings;
    this.source = source;
    this.target = target;
    this.time = time;
    this.deadline = Deadline.in(time, CHECKS);
    this.cancel = cancel;
  }

  /**
   * The confirmation that the settings ask for. It borrows a connection of each pool for as long as
   * a statement runs; the pools stay open when it is closed.
   *
   * @throws ConfirmationException if it cannot work here, or {@code auto} finds nothing to prove
   *     with
   */
  public static ReplayConfirmation create(
      ConfirmationSettings settings,
      Database source,
      Database target,
      Time time,
      Cancellation cancel) {
    return new ReplayConfirmations(
            settings, new Transactions(source, time), new Transactions(target, time), time, cancel)
        .create();
  }

  private ReplayConfirmation create() {
    return switch (settings.strategy()) {
      case NONE -> new NoConfirmation();
      case STANDBY -> orRefuse(standby());
      case SUBSCRIPTION -> orRefuse(subscription());
      case MARKER_TABLE -> orRefuse(markerTable());
      case KAFKA_SINK -> orRefuse(kafkaSink());
      case AUTO -> automatic();
    };
  }

  private ReplayConfirmation automatic() {
    Attempt standby = standby();
    if (standby.confirmation().isPresent()) {
      return standby.confirmation().get();
    }
    Attempt subscription = subscription();
    if (subscription.confirmation().isPresent()) {
      return subscription.confirmation().get();
    }
    String marker = "";
    if (settings.markerTable().isPresent()) {
      Attempt table = markerTable();
      if (table.confirmation().isPresent()) {
        return table.confirmation().get();
      }
      marker = "; " + table.obstacle();
    }
    throw new ConfirmationException(
        "no way to confirm replay could be proven: "
            + standby.obstacle()
            + "; "
            + subscription.obstacle()
            + marker
            + "."
            + CHOICES);
  }

  private static ReplayConfirmation orRefuse(Attempt attempt) {
    return attempt
        .confirmation()
        .orElseThrow(() -> new ConfirmationException(attempt.obstacle() + "." + CHOICES));
  }

  /** A confirmation, or what stands in its way. */
  private record Attempt(Optional<ReplayConfirmation> confirmation, String obstacle) {
    static Attempt works(ReplayConfirmation confirmation) {
      return new Attempt(Optional.of(confirmation), "");
    }

    static Attempt not(String obstacle) {
      return new Attempt(Optional.empty(), obstacle);
    }
  }

  private Attempt standby() {
    DatabaseIdentity here = read(source, DatabaseIdentity::read);
    DatabaseIdentity there = read(target, DatabaseIdentity::read);
    if (!there.inRecovery()) {
      return Attempt.not("the target is no standby (it is not in recovery)");
    }
    if (!there.systemIdentifier().equals(here.systemIdentifier())) {
      return Attempt.not("the target is a standby of another cluster");
    }
    if (here.inRecovery()) {
      return Attempt.not(SOURCE_IS_STANDBY);
    }
    return Attempt.works(
        new StandbyConfirmation(
            boundaries(), target, poller(), here.systemIdentifier(), settings.names()));
  }

  private Attempt subscription() {
    if (sourceIsStandby()) {
      return Attempt.not(SOURCE_IS_STANDBY);
    }
    Subscriptions there =
        read(
            target,
            session ->
                Subscriptions.read(session, settings.subscription(), List.of(), settings.names()));
    String which = settings.subscription().map(name -> " \"" + name + '"').orElse("");
    if (there.all().isEmpty()) {
      return Attempt.not("the target's database has no subscription" + which);
    }
    Subscriptions.Slots here = read(source, Subscriptions::readSlots);
    boolean fed =
        there.all().stream()
            .flatMap(subscription -> subscription.slot().stream())
            .anyMatch(slot -> here.confirmed().containsKey(slot));
    if (!fed) {
      return Attempt.not(
          "the target's subscription"
              + which
              + " uses no slot of the source's database: it gets its changes elsewhere");
    }
    return Attempt.works(
        new SubscriptionConfirmation(
            boundaries(), source, target, poller(), settings.subscription(), settings.names()));
  }

  private boolean sourceIsStandby() {
    return read(source, DatabaseIdentity::read).inRecovery();
  }

  private Attempt markerTable() {
    if (sourceIsStandby()) {
      return Attempt.not(SOURCE_IS_STANDBY);
    }
    TableId name = settings.markerTable().orElseThrow();
    Optional<TableId> there = settings.names().table(name);
    if (there.isEmpty()) {
      return Attempt.not(
          "the marker table cannot be looked for: " + settings.names().whyNone(name));
    }
    MarkerTable marker = new MarkerTable(name, settings.instance());
    MarkerTable arriving = new MarkerTable(there.get(), settings.instance());
    if (!read(source, marker::exists)) {
      return Attempt.not(
          "the source has no marker table "
              + marker.table()
              + "; run there, and add the table to"
              + " what the applier carries: "
              + marker.ddl());
    }
    if (!read(target, arriving::exists)) {
      return Attempt.not(
          "the target has no marker table " + arriving.table() + "; run there: " + arriving.ddl());
    }
    return Attempt.works(
        new MarkerTableConfirmation(
            boundaries(),
            source,
            target,
            poller(),
            marker,
            arriving,
            UUID.randomUUID().toString()));
  }

  private Attempt kafkaSink() {
    if (sourceIsStandby()) {
      return Attempt.not(SOURCE_IS_STANDBY);
    }
    KafkaSinkSettings pipeline = settings.kafka().orElseThrow();
    KafkaPipeline live;
    try {
      live = new LivePipeline(pipeline);
    } catch (KafkaException e) {
      return Attempt.not(
          "the clients for the pipeline's brokers could not be made ("
              + e.getMessage()
              + "); check the verify.kafka.client.* settings");
    }
    boolean works = false;
    try {
      live.sourcePosition();
      live.ends(Set.of());
      works = true;
      return Attempt.works(new KafkaSinkConfirmation(pipeline, live, boundaries(), poller()));
    } catch (KafkaPipeline.PipelineException e) {
      return Attempt.not(e.getMessage());
    } finally {
      if (!works) {
        live.close();
      }
    }
  }

  private <T> T read(Transactions on, Transactions.Work<T> work) {
    Outcome<T> outcome = on.run(TransactionKind.ROWS, deadline, cancel, work);
    if (outcome instanceof Outcome.Done<T> done) {
      return done.value();
    }
    throw new ConfirmationException(
        "how replay can be confirmed could not be found out: "
            + ((Outcome.Failed<T>) outcome).detail());
  }

  private BoundaryEmitter boundaries() {
    return new BoundaryEmitter(source);
  }

  private Poller poller() {
    return new Poller(time, settings.pollInterval());
  }
}
