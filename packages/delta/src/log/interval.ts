import { DeltaError } from "../error.js";
import type { TextMap } from "./actions.js";

/** Milliseconds. Months and years are not among them: their length varies. */
const UNITS: Readonly<Record<string, number>> = {
  microsecond: 0.001,
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/** Milliseconds of `interval 30 days`, `1 week 12 hours`: Spark's calendar intervals. Undefined for what is none. */
export function parseInterval(text: string): number | undefined {
  const parts = text
    .trim()
    .replace(/^interval\s+/i, "")
    .split(/\s+/);
  if (parts.length % 2 === 1) return undefined;
  let milliseconds = 0;
  for (let at = 0; at < parts.length; at += 2) {
    const count = /^\d+$/.test(parts[at] ?? "") ? Number(parts[at]) : undefined;
    const unit = UNITS[(parts[at + 1] ?? "").toLowerCase().replace(/s$/, "")];
    if (count === undefined || unit === undefined) return undefined;
    milliseconds += count * unit;
  }
  return milliseconds;
}

/**
 * The milliseconds that a table property such as `delta.logRetentionDuration` says; undefined where it is not set.
 *
 * @throws DeltaError DELTA_INVALID_INTERVAL
 */
export function retentionOf(table: string, configuration: TextMap, property: string): number | undefined {
  const text = configuration[property];
  if (text === undefined || text === null) return undefined;
  const milliseconds = parseInterval(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new DeltaError("DELTA_INVALID_INTERVAL", `The property ${property} of ${table} is no interval: "${text}".`, {
    table,
    hint: 'Set it to a text such as "interval 30 days".',
  });
}
