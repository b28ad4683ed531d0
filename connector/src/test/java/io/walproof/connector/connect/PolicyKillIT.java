package io.walproof.connector.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.walproof.cluster.KafkaBroker;
import io.walproof.cluster.PluginFolder;
import io.walproof.cluster.WorkerProcess;
import io.walproof.cluster.WorkerSettings;
import io.walproof.connector.drift.DriftAction;
import io.walproof.connector.drift.DriftPolicy;
import io.walproof.connector.engine.Servers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Each policy in Connect, the worker killed with SIGKILL between detection, emission, durability
 * and halt (invariants B, D, E). The policies share the worker; each is at another moment when the
 * worker dies, and after three kills each was meant to be at every moment. Which one a kill hits is
 * the machine's affair: it goes on until each was hit.
 */
class PolicyKillIT {

  /** How far a connector is with a change of shape when its worker is killed. */
  private enum Moment {
    /** The deciding change was committed in the source just now. */
    COMMITTED,
    /** The event is on the drift topic. */
    TOLD,
    /** The offset with the shape is on the offsets topic; what halts has failed. */
    DURABLE
  }

  private static final int KILLS = Integer.getInteger("walproof.kills", Moment.values().length);

  /** What it may take until each moment was hit. */
  private static final int MOST = KILLS + 9;

  @Test
  void eachPolicyKeepsItsWordWhenTheWorkerIsKilledAtAnyMoment() throws Exception {
    try (PluginFolder plugins = new PluginFolder();
        KafkaBroker broker = KafkaBroker.embedded()) {
      plugins.addClassPath("walproof-connector");
      // Long enough that an event on the topic is mostly not durable yet.
      WorkerSettings settings =
          new WorkerSettings(broker.bootstrapServers())
              .pluginPath(plugins.path())
              .setting("offset.flush.interval.ms", "1000")
              .setting("scheduled.rebalance.max.delay.ms", "0");
      List<ChangingTable> all = new ArrayList<>();
      try (WorkerProcess worker = settings.process()) {
        try {
          all.add(table(broker, worker, DriftPolicy.REPORT, DriftAction.REPORTED, false));
          all.add(table(broker, worker, DriftPolicy.EVOLVE, DriftAction.ACCEPTED, false));
          all.add(table(broker, worker, DriftPolicy.EVOLVE, DriftAction.HALTED, true));
          all.add(table(broker, worker, DriftPolicy.HALT, DriftAction.HALTED, false));
          all.add(table(broker, worker, DriftPolicy.DLQ, DriftAction.DIVERTED, false));
          for (ChangingTable each : all) {
            each.awaitStreaming();
          }
          for (ChangingTable each : all) {
            each.begin();
          }
          Set<Moment> hit = EnumSet.noneOf(Moment.class);
          int kills = 0;
          while (kills < KILLS || (kills < MOST && hit.size() < Moment.values().length)) {
            kills++;
            hit.addAll(changeAndKill(all, kills, worker));
          }
          for (ChangingTable each : all) {
            each.assertEverythingArrived(kills);
          }
          assertThat(hit).as("moments of kills").containsExactly(Moment.values());
        } finally {
          for (ChangingTable each : all) {
            each.close();
          }
        }
      }
    }
  }

  private static ChangingTable table(
      KafkaBroker broker,
      WorkerProcess worker,
      DriftPolicy policy,
      DriftAction action,
      boolean narrowing)
      throws Exception {
    Deployment on = new Deployment(Servers.newest(), broker.bootstrapServers(), worker.rest());
    return new ChangingTable(on, broker.bootstrapServers(), policy, action, narrowing, MOST);
  }

  /** Returns the moments at which the kill found the connectors. */
  private static Set<Moment> changeAndKill(List<ChangingTable> all, int kill, WorkerProcess worker)
      throws Exception {
    for (ChangingTable each : all) {
      each.alter(kill);
    }
    // What shall have come far changes first, and what shall be caught at once last.
    for (Moment moment : List.of(Moment.DURABLE, Moment.TOLD, Moment.COMMITTED)) {
      List<ChangingTable> these =
          all.stream().filter(each -> moment(all, each, kill) == moment).toList();
      if (moment == Moment.COMMITTED && kill % 2 == 1) {
        // Too late for it to notice; in every other kill it may, and may be caught at that.
        worker.freeze();
      }
      for (ChangingTable each : these) {
        each.change(kill);
      }
      for (ChangingTable each : these) {
        switch (moment) {
          case DURABLE -> each.awaitDurable();
          case TOLD -> each.awaitTold(kill);
          case COMMITTED -> {}
        }
      }
    }
    worker.kill();
    Set<Moment> hit = EnumSet.noneOf(Moment.class);
    for (ChangingTable each : all) {
      each.examine(kill);
      hit.add(
          each.durable() ? Moment.DURABLE : each.told(kill) > 0 ? Moment.TOLD : Moment.COMMITTED);
    }
    worker.start();
    for (ChangingTable each : all) {
      each.awaitRecovered(kill);
    }
    return hit;
  }

  private static Moment moment(List<ChangingTable> all, ChangingTable each, int kill) {
    return Moment.values()[(all.indexOf(each) + kill) % Moment.values().length];
  }
}
