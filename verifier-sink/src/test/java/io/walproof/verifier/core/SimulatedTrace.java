package io.walproof.verifier.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** The last lines of what happened in a simulated world, or nothing, which is faster. */
final class SimulatedTrace {

  private final int length;
  private final Deque<String> lines = new ArrayDeque<>();

  /**
   * A trace.
   *
   * @param length how many lines it keeps; 0 for none
   */
  SimulatedTrace(int length) {
    this.length = length;
  }

  void add(Supplier<String> line) {
    if (length > 0) {
      if (lines.size() == length) {
        lines.removeFirst();
      }
      lines.add(line.get());
    }
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
