import type { SchemaInput } from "./column-types.js";
import type { Dataset, Expectations, Expr, Relation, Sql } from "./types.js";
import { partsOfSql, relationOf, ruleOf } from "./values.js";

/** What an option may be. */
export interface Check<T> {
  /** Completes "must be …". */
  readonly wanted: string;
  readonly accepts: (value: unknown) => value is T;
  /** The options within, for an option that is an object. */
  readonly fields?: Checks;
}
export type Checks = { readonly [option: string]: Check<unknown> };
/** Options after {@link Checks}: those that were given, each of its type. */
export type Checked<C extends Checks> = {
  readonly [K in keyof C]?: NonNullable<C[K]> extends Check<infer T> ? T : never;
};

export const text = check<string>("a text", (v) => typeof v === "string");
export const name = check<string>("a name", (v) => typeof v === "string" && v !== "");
export const flag = check<boolean>("true or false", (v) => typeof v === "boolean");
export const share = check<number>("a number from 0 to 1", (v) => typeof v === "number" && v >= 0 && v <= 1);
export const count = check<number>("a whole number, 0 or more", (v) => Number.isSafeInteger(v) && Number(v) >= 0);
export const version = check<number | bigint | "latest">('a version (0 or more) or "latest"', (v) => {
  return v === "latest" || (typeof v === "bigint" && v >= 0n) || (Number.isSafeInteger(v) && Number(v) >= 0);
});
export const names = check<readonly string[]>(
  "a list of one or more names",
  (v) => Array.isArray(v) && v.length > 0 && v.every((item) => typeof item === "string" && item !== ""),
);
/** A list whose emptiness has an error of its own. */
export const keys = check<readonly string[]>(
  "a list of column names",
  (v) => Array.isArray(v) && v.every((item) => typeof item === "string" && item !== ""),
);
export const texts = check<readonly string[]>(
  "a list of texts",
  (v) => Array.isArray(v) && v.every((item) => typeof item === "string"),
);
export const scalars = check<Readonly<Record<string, string | number | boolean>>>(
  "an object of texts, numbers and booleans",
  (v) => isPlain(v) && Object.values(v).every(isScalar),
);
export const query = check<Sql>("a sql`…` template", (v) => partsOfSql(v) !== undefined);
export const expression = check<Expr>(
  "a text or a sql`…` piece",
  (v) => (typeof v === "string" && v.trim() !== "") || partsOfSql(v) !== undefined,
);
export const relation = check<Relation<unknown>>(
  "a relation: a dataset, ref(…), externalTable(…), readFiles(…) or changeFeed(…)",
  (v) => relationOf(v) !== undefined,
);
export const source = check<Relation<unknown> | string>(
  "a relation or a table's name",
  (v) => relationOf(v) !== undefined || (typeof v === "string" && v !== ""),
);
export const table = check<Relation<unknown> | string>("a table or its name", (v) => {
  return (typeof v === "string" && v !== "") || (relationOf(v) !== undefined && relationOf(v)?.files === undefined);
});
export const target = check<Dataset | string>("a dataset or its name", (v) => {
  return (typeof v === "string" && v !== "") || (relationOf(v)?.table !== undefined && isDataset(v));
});
export const schema = check<SchemaInput>("DDL text, or an object of column types", (v) => {
  return typeof v === "string" || (isPlain(v) && Object.values(v).every((c) => typeof c === "string" || isPlain(c)));
});
export const expectations = check<Expectations>("a list of expectations", (v) => {
  return Array.isArray(v) && v.flat().every((item) => ruleOf(item) !== undefined);
});

export function oneOf<const T extends readonly (string | number)[]>(...values: T): Check<T[number]> {
  const listed = values.map((v) => JSON.stringify(v)).join(", ");
  return check<T[number]>(values.length === 1 ? listed : `one of ${listed}`, (v) => values.some((one) => one === v));
}

export function shape<const C extends Checks>(fields: C): Check<Checked<C>> {
  return { ...check<Checked<C>>(`an object with ${Object.keys(fields).join(", ")}`, isPlain as never), fields };
}

export function either<A, B>(a: Check<A>, b: Check<B>): Check<A | B> {
  const both = check<A | B>(`${a.wanted}, or ${b.wanted}`, (v) => a.accepts(v) || b.accepts(v));
  const fields = a.fields ?? b.fields;
  return fields === undefined ? both : { ...both, fields };
}

const DATASET_KINDS: readonly string[] = ["streaming-table", "materialized-view", "temporary-view", "view"];

function isDataset(value: unknown): value is Dataset {
  return DATASET_KINDS.includes((value as Relation).kind);
}

/** An object literal: not a list, a class's value or one of ours. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !isOurs(value);
}

function isOurs(value: object): boolean {
  return partsOfSql(value) !== undefined || relationOf(value) !== undefined || ruleOf(value) !== undefined;
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** A value of its own kind; `wanted` completes "must be …". */
export function check<T>(wanted: string, accepts: (value: unknown) => boolean): Check<T> {
  return { wanted, accepts: accepts as (value: unknown) => value is T };
}
