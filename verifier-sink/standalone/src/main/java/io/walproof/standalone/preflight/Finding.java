package io.walproof.standalone.preflight;

import io.walproof.connector.engine.SourceInspection.Grade;

/**
 * One line of the report.
 *
 * @param check what was looked at
 * @param grade how it stands
 * @param text what was found; of anything but OK, with the way out
 */
record Finding(Check check, Grade grade, String text) {

  static Finding ok(Check check, String text) {
    return new Finding(check, Grade.OK, text);
  }

  static Finding warning(Check check, String text) {
    return new Finding(check, Grade.WARNING, text);
  }

  static Finding failure(Check check, String text) {
    return new Finding(check, Grade.FAILURE, text);
  }
}
