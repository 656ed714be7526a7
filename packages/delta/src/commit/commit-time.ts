import type { TextMap } from "../log/actions.js";
import { isOn } from "../log/configuration.js";

const ENABLEMENT = {
  version: "delta.inCommitTimestampEnablementVersion",
  timestamp: "delta.inCommitTimestampEnablementTimestamp",
} as const;

/** Whether commits of the table state their time. */
export function statesTime(configuration: TextMap): boolean {
  return isOn(configuration, "delta.enableInCommitTimestamps");
}

/**
 * The in-commit timestamp of a commit: now, yet later than the commit before; milliseconds.
 * Source: the Delta protocol, "Writer Requirements for In-Commit Timestamps".
 *
 * @param previous the time of the commit before: its in-commit timestamp, or its file's time where it has none
 */
export function commitTime(now: number, previous: number): number {
  return Number.isNaN(previous) ? now : Math.max(now, previous + 1);
}

/** Tells readers from which commit on times are stated, where older commits do not. */
export function enablement(version: bigint, timestamp: number): Record<string, string> {
  return { [ENABLEMENT.version]: version.toString(), [ENABLEMENT.timestamp]: timestamp.toString() };
}

/** What the table had stated of it, without which times of old commits would be lost. */
export function keptEnablement(previous: TextMap | undefined): TextMap {
  const keys: readonly string[] = Object.values(ENABLEMENT);
  return Object.fromEntries(Object.entries(previous ?? {}).filter(([key]) => keys.includes(key)));
}

export function withoutEnablement(configuration: TextMap): TextMap {
  const keys: readonly string[] = Object.values(ENABLEMENT);
  return Object.fromEntries(Object.entries(configuration).filter(([key]) => !keys.includes(key)));
}
