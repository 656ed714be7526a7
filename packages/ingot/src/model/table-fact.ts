import type { Field } from "./data-type.js";

interface Fact {
  readonly name: string;
  readonly action: "warn" | "fail";
}

export interface RowCountFact extends Fact {
  readonly kind: "row count";
  /** Shares of the fewest and the most rows after the last `runs` that wrote the table. */
  readonly min: number;
  readonly max: number;
  readonly runs: number;
}

export interface FreshnessFact extends Fact {
  readonly kind: "freshness";
  /** Of TIMESTAMP or DATE. */
  readonly column: Pick<Field, "name" | "type">;
  /** How old its newest value may be; a date counts until it ends. */
  readonly seconds: number;
}

/** A column that should have one value alone. It is looked for behind the commit, and can only be told. */
export interface SingleValueFact {
  readonly name: string;
  readonly column: string;
  /** No message shows its values. */
  readonly sensitive?: true;
}

/** An expectation about a table as it is after a step, which no single row fails. */
export type TableFact = RowCountFact | FreshnessFact;

/** Whether a fact holds. */
export interface FactCheck {
  /** Complete name of the dataset that declares it. */
  readonly dataset: string;
  readonly name: string;
  /** Why it does not, in words. */
  readonly fault?: string;
}

const DAY_MS = 86_400_000;

/** The oldest value that is fresh. @param at UTC, ISO 8601, as the result */
export function freshSince({ column, seconds }: FreshnessFact, at: string): string {
  const untilItEnds = column.type.kind === "date" ? DAY_MS : 0;
  return new Date(Date.parse(at) - seconds * 1000 - untilItEnds).toISOString();
}

/** What a fact that does not hold says. @param newest as text; undefined for no value */
export function describeStale({ column, seconds }: FreshnessFact, newest: string | undefined, at: string): string {
  const value = newest === undefined ? `${column.name} has no value` : `the newest ${column.name} is ${newest}`;
  return `${value}, and at ${at} it may be ${seconds} seconds old`;
}

/** How many values of a column a message shows. */
const SHOWN_VALUES = 10;
/** How many have to be read to know what {@link describeValues} says. */
export const VALUES_READ = SHOWN_VALUES + 1;

/** What a single value that is none says; undefined for one or none. @param values all, or `VALUES_READ` of them */
export function describeValues({ column, sensitive }: SingleValueFact, values: readonly string[]): string | undefined {
  if (values.length < 2) return undefined;
  const many = values.length > SHOWN_VALUES ? `more than ${SHOWN_VALUES}` : `${values.length}`;
  return `${column} has ${many} values${sensitive === true ? "" : `: ${values.slice(0, SHOWN_VALUES).join(", ")}`}`;
}

/** What a row count that does not hold says. @param counts after the last runs, at least one */
export function describeCount({ min, max }: RowCountFact, rows: number, counts: readonly number[]): string {
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const runs = counts.length === 1 ? "1 run" : `${counts.length} runs`;
  const bounds = `${Math.ceil(min * fewest)} to ${Math.floor(max * most)}`;
  return `there are ${rows} rows, and ${bounds} are expected after ${runs} with ${fewest} to ${most}`;
}

/** @param counts after the last runs; where there are none, any number of rows is right */
export function isExpectedCount({ min, max }: RowCountFact, rows: number, counts: readonly number[]): boolean {
  return counts.length === 0 || (rows >= min * Math.min(...counts) && rows <= max * Math.max(...counts));
}
