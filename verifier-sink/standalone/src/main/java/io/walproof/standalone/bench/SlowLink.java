package io.walproof.standalone.bench;

import io.walproof.contract.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A port of 127.0.0.1 behind which a server answers slowly: what it sends passes at a limited rate,
 * which all connections share. Closing it cuts them off.
 */
final class SlowLink implements AutoCloseable {

  private static final int PIECE = 8 * 1024;

  private final Time time;
  private final int serverPort;
  private final long bytesPerSecond;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private long freeAt;
  private long sent;

  private SlowLink(int serverPort, long bytesPerSecond, Time time) throws IOException {
    this.time = time;
    this.serverPort = serverPort;
    this.bytesPerSecond = bytesPerSecond;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.freeAt = time.nanoTime();
  }

  static SlowLink to(int serverPort, long bytesPerSecond, Time time) throws IOException {
    SlowLink link = new SlowLink(serverPort, bytesPerSecond, time);
    start(link::accept);
    return link;
  }

  int port() {
    return listener.getLocalPort();
  }

  /** How many bytes the server sent so far. */
  synchronized long sent() {
    return sent;
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "slow-link");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        open.add(client);
        open.add(server);
        start(() -> copy(client, server, false));
        start(() -> copy(server, client, true));
      } catch (IOException e) {
        // Closed, or the server is gone; whoever connects finds out.
        close();
      }
    }
  }

  private void copy(Socket from, Socket to, boolean slowly) {
    byte[] piece = new byte[PIECE];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int read = in.read(piece);
      while (read >= 0) {
        if (slowly) {
          await(read);
        }
        out.write(piece, 0, read);
        read = in.read(piece);
      }
    } catch (IOException e) {
      // One end has closed, and now both do.
      open.remove(from);
      open.remove(to);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the bytes have passed. */
  private void await(int bytes) throws InterruptedException {
    long until;
    synchronized (this) {
      sent += bytes;
      freeAt = Math.max(freeAt, time.nanoTime()) + bytes * 1_000_000_000L / bytesPerSecond;
      until = freeAt;
    }
    long left = until - time.nanoTime();
    if (left > 0) {
      time.sleep(Duration.ofNanos(left));
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      // Nothing is left to be done with a socket that does not close.
      open.clear();
    }
  }
}
