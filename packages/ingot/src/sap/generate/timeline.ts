import { dats, tims } from "./calendar.js";
import { padded } from "./decimal.js";
import type { Moment } from "./domain.js";

const DAY = 86_400_000_000;

/** A batch of changes: so many deliveries of equal length share the days. */
export interface Batch {
  /** From 1 on. */
  readonly number: number;
  /** Microseconds since the start of the first day. */
  readonly from: number;
  readonly to: number;
  /** How busy it is against the others. */
  readonly weight: number;
}

/** Hours of business, 06 to 20, are five times as busy as the night. */
export function batchesOf(days: number, count: number): Batch[] {
  const length = Math.floor((days * DAY) / count);
  return Array.from({ length: count }, (_, i) => {
    const hour = Math.floor((i * length) / (DAY / 24)) % 24;
    const isNight = length < DAY / 2 && (hour < 6 || hour >= 20);
    return { number: i + 1, from: i * length, to: (i + 1) * length, weight: isNight ? 1 : 5 };
  });
}

/** The moment of a point of the timeline. @param start day on which it begins */
export function momentAt(start: number, microseconds: number): Moment {
  return {
    day: start + Math.floor(microseconds / DAY),
    second: Math.floor((microseconds % DAY) / 1_000_000),
  };
}

/** YYYYMMDDHHMMSS and six digits of the second. */
export function stampAt(start: number, microseconds: number): string {
  const { day, second } = momentAt(start, microseconds);
  return `${dats(day)}${tims(second)}${padded(microseconds % 1_000_000, 6)}`;
}
