package io.walproof.connector.relation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.replication.PGReplicationConnection;
import org.postgresql.replication.PGReplicationStream;
import org.postgresql.replication.fluent.ChainedStreamBuilder;
import org.postgresql.replication.fluent.logical.ChainedLogicalStreamBuilder;

/**
 * Dynamic proxies around the chain from a connection to its replication stream. A hand-written
 * implementation would break whenever pgjdbc adds a method.
 */
final class TappedConnection {

  private final Tap tap;

  /** Whether a stream was started; written and read by Debezium's threads. */
  private volatile boolean streaming;

  private TappedConnection(Tap tap) {
    this.tap = tap;
  }

  /** The connection, tapped. */
  static Connection wrap(BaseConnection connection, Tap tap) {
    return new TappedConnection(tap).connection(connection);
  }

  private BaseConnection connection(BaseConnection target) {
    return proxy(
        BaseConnection.class,
        target,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "unwrap" -> isA(arguments[0], proxy) ? proxy : call(target, method, arguments);
              case "isWrapperFor" ->
                  isA(arguments[0], proxy) || target.isWrapperFor(type(arguments));
              case "getReplicationAPI" -> replication(((PGConnection) target).getReplicationAPI());
              case "close" -> close(target);
              case "createStatement" -> statement((Statement) call(target, method, arguments));
              default -> call(target, method, arguments);
            });
  }

  /** In the middle of a stream, an orderly close waits for the server to send the rest of it. */
  private Object close(BaseConnection target) throws SQLException {
    if (streaming) {
      target.abort(Runnable::run);
    } else {
      target.close();
    }
    return null;
  }

  private static boolean isA(Object type, Object proxy) {
    return ((Class<?>) type).isInstance(proxy);
  }

  private static Class<?> type(Object[] arguments) {
    return (Class<?>) arguments[0];
  }

  /** Keeps Debezium from replacing a lost slot by a new one, which would hide a gap. */
  private Statement statement(Statement target) {
    return proxy(
        Statement.class,
        target,
        (proxy, method, arguments) -> {
          if (method.getName().startsWith("execute")
              && arguments != null
              && arguments[0] instanceof String sql
              && sql.toUpperCase(Locale.ROOT).startsWith("CREATE_REPLICATION_SLOT")
              && !tap.gate().mayCreateSlot()) {
            throw tap.gate().slotIsGone();
          }
          return call(target, method, arguments);
        });
  }

  private PGReplicationConnection replication(PGReplicationConnection target) {
    return proxy(
        PGReplicationConnection.class,
        target,
        (proxy, method, arguments) -> {
          Object result = call(target, method, arguments);
          return result instanceof ChainedStreamBuilder builder ? builder(builder) : result;
        });
  }

  private ChainedStreamBuilder builder(ChainedStreamBuilder target) {
    return proxy(
        ChainedStreamBuilder.class,
        target,
        (proxy, method, arguments) -> {
          Object result = call(target, method, arguments);
          return result instanceof ChainedLogicalStreamBuilder logical ? logical(logical) : result;
        });
  }

  private ChainedLogicalStreamBuilder logical(ChainedLogicalStreamBuilder target) {
    return proxy(
        ChainedLogicalStreamBuilder.class,
        target,
        (proxy, method, arguments) -> {
          if (method.getName().equals("start")) {
            tap.gate().beforeStream();
            tap.streamStarts();
            streaming = true;
          }
          Object result = call(target, method, arguments);
          if (result instanceof PGReplicationStream stream) {
            tap.gate().streams();
            return stream(stream);
          }
          // Fluent methods return their target.
          return result == target ? proxy : result;
        });
  }

  private PGReplicationStream stream(PGReplicationStream target) {
    return proxy(
        PGReplicationStream.class,
        target,
        (proxy, method, arguments) -> {
          // The first two are called for every message, where reflection would show.
          Object result =
              switch (method.getName()) {
                case "readPending" -> target.readPending();
                case "getLastReceiveLSN" -> target.getLastReceiveLSN();
                default -> call(target, method, arguments);
              };
          if (result instanceof ByteBuffer message) {
            tap.accept(message.duplicate(), target.getLastReceiveLSN().asLong());
          }
          return result;
        });
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, T target, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            TappedConnection.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "toString" -> "tapped " + target;
                  default -> handler.invoke(proxy, method, arguments);
                }));
  }
}
