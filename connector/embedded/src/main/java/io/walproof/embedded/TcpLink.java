package io.walproof.embedded;

import io.walproof.contract.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A port of 127.0.0.1 that leads to a server, over a network that can be slow, cut, or half-open.
 * Closing it cuts everybody off. Thread-safe.
 */
public final class TcpLink implements AutoCloseable {

  private static final int PIECE = 8 * 1024;
  private static final int BACKLOG = 50;

  private final Time time;
  private final int serverPort;
  private final long bytesPerSecond;
  private final int port = FreePort.next();
  private final Set<Lane> lanes = ConcurrentHashMap.newKeySet();
  private ServerSocket listener;
  private long freeAt;
  private long sent;

  private TcpLink(int serverPort, long bytesPerSecond, Time time) throws IOException {
    this.time = time;
    this.serverPort = serverPort;
    this.bytesPerSecond = bytesPerSecond;
    this.freeAt = time.nanoTime();
    mend();
  }

  /** A link as fast as the machine. */
  public static TcpLink to(int serverPort, Time time) throws IOException {
    return new TcpLink(serverPort, Long.MAX_VALUE, time);
  }

  /** A link on which what the server sends passes at a rate that all connections share. */
  public static TcpLink to(int serverPort, long bytesPerSecond, Time time) throws IOException {
    return new TcpLink(serverPort, bytesPerSecond, time);
  }

  /** Where the server is reached through the link. */
  public int port() {
    return port;
  }

  /** How many bytes the server sent so far. */
  public synchronized long sent() {
    return sent;
  }

  /** Ends all connections; new ones are refused until {@link #mend}. */
  public synchronized void cut() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the link's port cannot be closed", e);
    }
    lanes.forEach(Lane::close);
  }

  /** Lets connections in again after a cut. */
  public synchronized void mend() throws IOException {
    listener = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
    ServerSocket opened = listener;
    start(() -> accept(opened));
  }

  /**
   * Connections that are open now stay open and pass nothing any more, either way, as behind a
   * firewall that has forgotten them; neither end is told. New ones pass.
   */
  public void forget() {
    lanes.forEach(lane -> lane.forgotten = true);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "tcp-link");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept(ServerSocket from) {
    while (!from.isClosed()) {
      try {
        Socket client = from.accept();
        try {
          Lane lane = new Lane(client, new Socket(InetAddress.getLoopbackAddress(), serverPort));
          lanes.add(lane);
          start(() -> lane.copy(lane.client, lane.server, false));
          start(() -> lane.copy(lane.server, lane.client, true));
        } catch (IOException e) {
          // The server is not there; whoever connects finds out as he would without us.
          client.close();
        }
      } catch (IOException e) {
        // The link was cut, or a client has gone at once; only the first is an end.
        if (from.isClosed()) {
          return;
        }
      }
    }
  }

  /** Waits until the bytes have passed. */
  private void await(int bytes) throws InterruptedException {
    long until;
    synchronized (this) {
      sent += bytes;
      freeAt =
          Math.max(freeAt, time.nanoTime())
              + (long) (bytes * (double) 1_000_000_000L / bytesPerSecond);
      until = freeAt;
    }
    long left = until - time.nanoTime();
    if (left > 0) {
      time.sleep(Duration.ofNanos(left));
    }
  }

  @Override
  public void close() {
    cut();
  }

  /** One connection through the link. */
  private final class Lane {
    private final Socket client;
    private final Socket server;
    private volatile boolean forgotten;

    Lane(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void copy(Socket from, Socket to, boolean fromServer) {
      byte[] piece = new byte[PIECE];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        int read = in.read(piece);
        while (read >= 0 && !forgotten) {
          if (fromServer) {
            await(read);
          }
          out.write(piece, 0, read);
          read = in.read(piece);
        }
      } catch (IOException e) {
        // One end has closed, and now both do.
        forgottenOrClose();
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      forgottenOrClose();
    }

    /** Of a forgotten connection neither end learns that the other has gone. */
    private void forgottenOrClose() {
      if (!forgotten) {
        close();
      }
    }

    void close() {
      lanes.remove(this);
      try (client;
          server) {
        client.setSoLinger(true, 0);
      } catch (IOException e) {
        // Nothing is left to be done with a socket that does not close.
        forgotten = true;
      }
    }
  }
}
