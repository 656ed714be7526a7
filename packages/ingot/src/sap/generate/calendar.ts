import { padded } from "./decimal.js";

const DAY_MS = 86_400_000;

/** The number of a day since 1970-01-01. @param text YYYY-MM-DD */
export function dayOf(text: string): number {
  return Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, Number(text.slice(8, 10))) / DAY_MS;
}

/** Texts of days that were asked for: few thousand, millions of times. */
const KNOWN = new Map<number, string>();

/** YYYYMMDD, as DATS has it. */
export function dats(day: number): string {
  const known = KNOWN.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * DAY_MS);
  const text = `${date.getUTCFullYear()}${padded(date.getUTCMonth() + 1, 2)}${padded(date.getUTCDate(), 2)}`;
  KNOWN.set(day, text);
  return text;
}

/** HHMMSS, as TIMS has it. @param second of the day */
export function tims(second: number): string {
  return `${padded(Math.floor(second / 3600), 2)}${padded(Math.floor(second / 60) % 60, 2)}${padded(second % 60, 2)}`;
}

/** The nines' complement of a date, as TCURR-GDATU has it: the newest sorts first. */
export function invertedDate(day: number): string {
  return `${99_999_999 - Number(dats(day))}`;
}

export function isWeekend(day: number): boolean {
  // 1970-01-01 was a Thursday.
  return (day + 3) % 7 >= 5;
}

/** The last day of a day's month. */
export function monthEnd(day: number): number {
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / DAY_MS;
}

export function yearOf(day: number): string {
  return dats(day).slice(0, 4);
}

export function monthOf(day: number): string {
  return dats(day).slice(4, 6);
}
