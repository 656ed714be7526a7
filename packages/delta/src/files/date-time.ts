/** Days since the epoch and microseconds since the epoch as text and back. Every function throws RangeError. */

const DAY = 86_400_000;
const DATE = "(?:\\d{4}|[+-]\\d{6})-\\d\\d-\\d\\d";
const DATE_TEXT = new RegExp(`^${DATE}$`);
const TIMESTAMP_TEXT = new RegExp(`^(${DATE})[T ](\\d\\d:\\d\\d:\\d\\d)(?:\\.(\\d{1,9}))?(Z|[+-]\\d\\d:\\d\\d)?$`);

/** The length of `T00:00:00.000Z`, and of the `Z` with the milliseconds. */
const TIME_LENGTH = 14;

export function formatDate(days: number): string {
  return new Date(days * DAY).toISOString().slice(0, -TIME_LENGTH);
}

export function parseDate(text: string): number {
  const time = DATE_TEXT.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || !isSpelt(time, text)) throw new RangeError(`${text} is no date YYYY-MM-DD`);
  return time / DAY;
}

/** The parser of JavaScript takes 30 February for 1 March, and a year in six digits for one in four. */
function isSpelt(time: number, text: string): boolean {
  if (text.length !== "YYYY-MM-DD".length) return formatDate(time / DAY) === text;
  return text.slice(-2) <= "28" || new Date(time).getUTCDate() === Number(text.slice(-2));
}

/** In UTC, with six digits and without the sign of a zone. */
export function formatMicros(micros: bigint): string {
  const rest = ((micros % 1000n) + 1000n) % 1000n;
  const iso = new Date(Number((micros - rest) / 1000n)).toISOString();
  return iso.slice(0, -1) + rest.toString().padStart(3, "0");
}

/**
 * @param zone "needed" for an instant, "none" for a wall clock, "UTC": an instant that is in UTC where nothing is said
 */
export function parseMicros(text: string, zone: "needed" | "none" | "UTC"): bigint {
  const [, date, time, fraction = "", offset] = TIMESTAMP_TEXT.exec(text) ?? [];
  if (date === undefined || time === undefined) throw new RangeError(`${text} is no timestamp`);
  if (zone === "needed" && offset === undefined) throw new RangeError(`${text} has no time zone`);
  if (zone === "none" && offset !== undefined) throw new RangeError(`${text} has a time zone`);
  if (/[1-9]/.test(fraction.slice(6))) throw new RangeError(`${text} has more than six digits of a second`);
  parseDate(date);
  const time0 = Date.parse(`${date}T${time}${offset ?? "Z"}`);
  if (Number.isNaN(time0) || time.startsWith("24")) throw new RangeError(`${text} is no timestamp`);
  return BigInt(time0) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}
