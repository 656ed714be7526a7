import { type At, DeltaError } from "../error.js";
import type { TextMap } from "./actions.js";
import { parseInterval } from "./interval.js";

/** Whether a table property is set to true, in any case of its letters. */
export function isOn(configuration: TextMap, property: string): boolean {
  return configuration[property]?.toLowerCase() === "true";
}

/**
 * The milliseconds that a table property such as `delta.logRetentionDuration` says; undefined where it is not set.
 *
 * @throws DeltaError DELTA_INVALID_INTERVAL
 */
export function retentionOf({ table, version }: At, configuration: TextMap, property: string): number | undefined {
  const text = configuration[property];
  if (text === undefined || text === null) return undefined;
  const milliseconds = parseInterval(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new DeltaError("DELTA_INVALID_INTERVAL", `The property ${property} of ${table} is no interval: "${text}".`, {
    table,
    version,
    hint: 'Set it to a text such as "interval 30 days".',
  });
}
