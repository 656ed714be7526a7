import type { ServiceFault } from "./fault.js";

/** Times that a request is sent at most. */
export const MOST_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 1000;
/** A service that wants a longer pause is told of, and not waited for. */
const LONGEST_PAUSE_MS = 300_000;

const TRANSIENT: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** Texts of errors behind which SAP comes to itself: a lock, a short dump of a busy process, a time limit. */
const TRANSIENT_TEXT = /\block(?:ed)?\b|\bRAISE|time[- ]?out|timed out|time limit/i;

/** Whether the same request may succeed later. No connection, or one that broke, always may. */
export function isTransient({ status, reason }: ServiceFault): boolean {
  if (status === undefined || TRANSIENT.has(status)) return true;
  return status === 500 && TRANSIENT_TEXT.test(reason);
}

/**
 * How long to wait before the next attempt, in ms; undefined where the service wants more than anyone waits. The pause
 * doubles, and a random part of it keeps readers from coming back together.
 *
 * @param attempt the one that failed, from 1
 * @param retryAfter header of the answer: seconds, or a date
 * @param random of [0, 1)
 */
export function pauseMs(attempt: number, retryAfter: string | null, now: Date, random: number): number | undefined {
  const wanted = wantedMs(retryAfter, now);
  if (wanted > LONGEST_PAUSE_MS) return undefined;
  const own = FIRST_PAUSE_MS * 2 ** (attempt - 1);
  return Math.max(wanted, own / 2 + (own / 2) * random);
}

function wantedMs(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
