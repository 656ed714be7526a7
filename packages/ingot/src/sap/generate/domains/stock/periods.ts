import { monthOf, yearOf } from "../../calendar.js";
import { padded } from "../../decimal.js";

/** A month as one number, so that the next one is one more. */
export type Period = number;

/** What holds from a period on, until the next one that says something. */
export interface State<T> {
  readonly period: Period;
  readonly value: T;
}

export function periodOf(day: number): Period {
  return Number(yearOf(day)) * 12 + Number(monthOf(day)) - 1;
}

/** LFGJA and LFMON of a period. */
export function periodFields(period: Period): { readonly LFGJA: string; readonly LFMON: string } {
  return { LFGJA: `${Math.floor(period / 12)}`, LFMON: padded((period % 12) + 1, 2) };
}

/** The same states with one that is newer; of its own period it takes the place. */
export function withState<T>(states: readonly State<T>[], period: Period, value: T): State<T>[] {
  return [...states.filter((state) => state.period !== period), { period, value }];
}

/**
 * What SAP keeps of states in the order of their periods. The first movement of a later period writes the history: the
 * value until then, under the period before the movement's. Quiet months have no row (SAP Note 193554).
 */
export function closePeriods<T>(states: readonly State<T>[]): {
  readonly history: State<T>[];
  readonly current?: State<T>;
} {
  const current = states.at(-1);
  const history = states.slice(0, -1).map(({ value }, i) => ({ period: (states[i + 1]?.period ?? 0) - 1, value }));
  return current === undefined ? { history } : { history, current };
}
