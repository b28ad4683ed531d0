package io.walproof.verifier.settings;

import io.walproof.contract.TableId;
import io.walproof.verifier.range.DigestPlace;
import io.walproof.verifier.range.OffsetClaims;
import io.walproof.verifier.range.RangeLimits;
import io.walproof.verifier.schedule.RestAccess;
import io.walproof.verifier.schedule.ScheduleSettings;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Reads what range checks take from the settings' texts. */
public final class RangeValues {

  private RangeValues() {}

  /** The bounds of one check. */
  public static RangeLimits limits(SettingValues values) {
    VerifySettings verify = values.verify();
    return new RangeLimits(
        values.get(SettingsTable.RANGE_CHUNK_ROWS),
        values.get(SettingsTable.RANGE_CHUNK_BYTES),
        values.get(SettingsTable.DUTY_CYCLE),
        verify.readTimeout(),
        verify.replayTimeout(),
        verify.batchRows(),
        DigestPlace.parse(values.get(SettingsTable.RANGE_DIGEST)),
        values.get(SettingsTable.RANGE_RESUME_AGE),
        values.get(SettingsTable.RANGE_KEYS_MAX),
        values.get(SettingsTable.RANGE_EXACT));
  }

  /** When checks begin that nobody asks for. */
  public static ScheduleSettings schedule(SettingValues values) {
    return new ScheduleSettings(
        values.get(RangeSettingsTable.ON_RESUME),
        Optional.of(values.get(RangeSettingsTable.INTERVAL)).filter(each -> !each.isZero()),
        values.get(RangeSettingsTable.ON_DRIFT),
        values.get(RangeSettingsTable.DEADLINE),
        values.get(RangeSettingsTable.QUEUE_MAX),
        values.get(RangeSettingsTable.RETRY),
        values.get(RangeSettingsTable.RETRIES_MAX),
        values.find(RangeSettingsTable.CLAIM_URL).map(claims(values)::of),
        new OffsetClaims.Known(
            values.get(RangeSettingsTable.CLAIM_INITIAL_SNAPSHOT),
            values
                .find(RangeSettingsTable.CLAIM_TABLES)
                .<Predicate<TableId>>map(filter -> filter::accepts)
                .orElse(any -> false),
            values.find(RangeSettingsTable.CLAIM_ZONE)));
  }

  /** How connectors' offsets are asked for. */
  public static RestAccess claims(SettingValues values) {
    return new RestAccess(
        values.find(RangeSettingsTable.CLAIM_URL),
        values.find(RangeSettingsTable.CLAIM_USER),
        values.find(RangeSettingsTable.CLAIM_PASSWORD),
        values.get(RangeSettingsTable.CLAIM_TIMEOUT));
  }

  /** What settings lack that need each other, by the setting at fault, each with the way out. */
  public static Map<String, String> missing(SettingValues values) {
    Map<String, String> missing = new TreeMap<>();
    if (values.text(RangeSettingsTable.CLAIM_URL).isEmpty()) {
      for (Setting<?> setting :
          new Setting<?>[] {RangeSettingsTable.CLAIM_USER, RangeSettingsTable.CLAIM_PASSWORD}) {
        if (values.text(setting).isPresent()) {
          missing.put(
              setting.name(),
              "'"
                  + setting.name()
                  + "' needs 'verify.range.claim.url', the address that it is for; set that, or"
                  + " remove this");
        }
      }
    } else if (values.text(RangeSettingsTable.CLAIM_PASSWORD).isPresent()
        && values.text(RangeSettingsTable.CLAIM_USER).isEmpty()) {
      missing.put(
          RangeSettingsTable.CLAIM_USER.name(),
          "'verify.range.claim.password' needs 'verify.range.claim.user'; set that, or remove the"
              + " password");
    }
    return missing;
  }
}
