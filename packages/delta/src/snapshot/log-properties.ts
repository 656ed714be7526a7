import type { At } from "../error.js";
import type { TextMap } from "../log/actions.js";
import { retentionOf } from "../log/configuration.js";

const DAY = 86_400_000;

/** What the properties of a table say of the care for its log; times are milliseconds. */
export interface LogProperties {
  /** A checkpoint after so many commits. */
  readonly checkpointInterval: number;
  readonly checkpointPolicy: "classic" | "v2";
  readonly statsAsJson: boolean;
  readonly statsAsStruct: boolean;
  /** How long a checkpoint tells of a file that was removed. */
  readonly tombstoneRetention: number;
  /** How long the progress of an application is kept after its last commit; undefined: for ever. */
  readonly transactionRetention: number | undefined;
  readonly logRetention: number;
  readonly cleansLog: boolean;
}

/**
 * Defaults are those of Delta; statistics as struct are off, as the protocol says under "Checkpoints".
 *
 * @throws DeltaError DELTA_INVALID_INTERVAL
 */
export function logProperties(at: At, configuration: TextMap): LogProperties {
  const duration = (property: string): number | undefined => retentionOf(at, configuration, property);
  const flag = (property: string, otherwise: boolean): boolean =>
    (configuration[property] ?? String(otherwise)).trim().toLowerCase() === "true";
  const interval = Number(configuration["delta.checkpointInterval"] ?? 10);
  return {
    checkpointInterval: Number.isInteger(interval) && interval > 0 ? interval : 10,
    checkpointPolicy: configuration["delta.checkpointPolicy"] === "v2" ? "v2" : "classic",
    statsAsJson: flag("delta.checkpoint.writeStatsAsJson", true),
    statsAsStruct: flag("delta.checkpoint.writeStatsAsStruct", false),
    tombstoneRetention: duration("delta.deletedFileRetentionDuration") ?? 7 * DAY,
    transactionRetention: duration("delta.setTransactionRetentionDuration"),
    logRetention: duration("delta.logRetentionDuration") ?? 30 * DAY,
    cleansLog: flag("delta.enableExpiredLogCleanup", true),
  };
}
