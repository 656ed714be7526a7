import { GROUPS } from "../../model/query.js";
import { functionKind } from "../functions/registry.js";
import { quoteName } from "../lower/lower-text.js";
import type { Select } from "../parse/ast.js";
import type { Bound, OutputColumn } from "./bound.js";
import { hasCall } from "./tree-search.js";

/** A grouped SELECT by its groups: see `QueryGroups`. */
export interface SelectGroups {
  readonly keys: string;
  readonly some: string;
  /** Places of the keys among the columns of the result. */
  readonly columns: readonly number[];
}

/** Aggregates that rows in another order do not change. */
const ORDER_FREE = new Set(
  `any avg bit_and bit_or bit_xor bool_and bool_or count count_if every max max_by mean min min_by some sum try_avg
  try_sum`.split(/\s+/),
);

/** Whether each group's row depends on the rows of the group, and on nothing else of what is grouped. */
export function keepsGroupsApart({ distinct, items, having, qualify }: Select): boolean {
  if (distinct || qualify !== undefined) return false;
  return !hasCall(
    [items, having],
    ({ name, over }) =>
      over !== undefined || (functionKind(name) === "aggregate" && !ORDER_FREE.has(name.toLowerCase())),
  );
}

/**
 * The groups of such a SELECT; undefined where not every key is a column of the result, so that its rows do not tell
 * their groups.
 *
 * @param clauses their texts
 */
export function selectGroups(
  groups: readonly Bound[],
  items: readonly OutputColumn[],
  clauses: {
    readonly head: string;
    readonly from: string;
    readonly where: string | undefined;
    readonly having: string | undefined;
  },
): SelectGroups | undefined {
  const columns = groups.map(({ sql }) => items.findIndex(({ bound }) => bound.sql === sql));
  if (columns.includes(-1)) return undefined;
  const { head, from } = clauses;
  const where = clauses.where === undefined ? "" : ` WHERE ${clauses.where}`;
  const having = clauses.having === undefined ? "" : ` HAVING ${clauses.having}`;
  const keys = groups.map(({ sql }) => sql);
  const named = keys.map((sql, i) => `${sql} AS ${keyName(i)}`);
  const isAmong = keys.map((sql, i) => `${sql} IS NOT DISTINCT FROM ${quoteName(GROUPS)}.${keyName(i)}`);
  const chosen = `SEMI JOIN ${quoteName(GROUPS)} ON ${isAmong.join(" AND ")}`;
  return {
    keys: `SELECT DISTINCT ${named.join(", ")} FROM ${from}${where}`,
    some: `${head} FROM ${from} ${chosen}${where} GROUP BY ${keys.join(", ")}${having}`,
    columns,
  };
}

function keyName(i: number): string {
  return quoteName(`k${i}`);
}

/** @param prefix the WITH clause that stands before the query */
export function withPrefix(prefix: string, { keys, some, columns }: SelectGroups): SelectGroups {
  return { keys: `${prefix}${keys}`, some: `${prefix}${some}`, columns };
}
