package io.walproof.cluster;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** Waits until a broker answers: a listening socket alone says little. */
final class BrokerProbe {

  private static final int TRY_SECONDS = 5;

  private BrokerProbe() {}

  static void await(String bootstrapServers, BooleanSupplier alive, Supplier<String> details) {
    try (Admin admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                200))) {
      Waiting.until(
          "the broker at " + bootstrapServers,
          () -> {
            if (!alive.getAsBoolean()) {
              throw new IllegalStateException("the broker did not start: " + details.get());
            }
            return hasUnfencedBroker(admin);
          },
          details);
    }
  }

  private static boolean hasUnfencedBroker(Admin admin) {
    try {
      return !admin.describeCluster().nodes().get(TRY_SECONDS, TimeUnit.SECONDS).isEmpty();
    } catch (ExecutionException | TimeoutException e) {
      // Not up yet; the wait around this is bounded.
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a broker was starting", e);
    }
  }
}
