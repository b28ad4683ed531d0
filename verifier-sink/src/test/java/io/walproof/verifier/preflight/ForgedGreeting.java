package io.walproof.verifier.preflight;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Stands before a server and greets with another process's number, as a connection pooler does. For
 * clients with {@code sslmode=disable}.
 */
final class ForgedGreeting implements AutoCloseable {

  private static final int HEADER_BYTES = 4;

  private final ServerSocket socket;
  private final int serverPort;

  ForgedGreeting(int serverPort) throws IOException {
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.serverPort = serverPort;
    daemon(this::accept);
  }

  int port() {
    return socket.getLocalPort();
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void daemon(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // One side has closed, which ends the other.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (!socket.isClosed()) {
      Socket client = socket.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      daemon(
          () -> {
            try (client;
                server) {
              client.getInputStream().transferTo(server.getOutputStream());
            }
          });
      daemon(
          () -> {
            try (client;
                server) {
              forge(
                  new DataInputStream(server.getInputStream()),
                  new DataOutputStream(client.getOutputStream()));
            }
          });
    }
  }

  /** Passes messages on up to BackendKeyData, whose process it changes, and then everything. */
  private static void forge(DataInputStream from, DataOutputStream to) throws IOException {
    int type;
    do {
      type = from.readUnsignedByte();
      int length = from.readInt();
      byte[] body = from.readNBytes(length - HEADER_BYTES);
      if (type == 'K') {
        body[0] ^= 0x40;
      }
      to.writeByte(type);
      to.writeInt(length);
      to.write(body);
      to.flush();
    } while (type != 'K');
    from.transferTo(to);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
