/** Milliseconds. Months and years are not among them: their length varies. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ["microsecond", 0.001],
  ["millisecond", 1],
  ["second", 1_000],
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
  ["week", 604_800_000],
]);

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
    const unit = UNITS.get((parts[at + 1] ?? "").toLowerCase().replace(/s$/, ""));
    if (count === undefined || unit === undefined) return undefined;
    milliseconds += count * unit;
  }
  return milliseconds;
}
