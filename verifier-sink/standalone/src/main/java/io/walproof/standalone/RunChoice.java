package io.walproof.standalone;

import java.util.Optional;
import picocli.CommandLine.Option;

/** Which runs of an audit count: the last one, if nothing else is said. */
final class RunChoice {

  @Option(names = "--run", paramLabel = "ID", description = "This run instead of the last.")
  private String id;

  @Option(names = "--all", description = "All runs in the file together.")
  private boolean all;

  Optional<String> id() {
    return Optional.ofNullable(id);
  }

  boolean all() {
    return all;
  }
}
