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

/** An expression over the rows below a SELECT, and which column of the result it is. */
interface GroupKey {
  readonly sql: string;
  readonly column: number;
}

/** What binding a SELECT found. */
interface Parts {
  readonly items: readonly OutputColumn[];
  readonly grouping: readonly Bound[];
  /** Whether there is a group, be it one of all rows. */
  readonly isGrouped: boolean;
  /** Texts of PARTITION BY of each window. */
  readonly partitions: readonly (readonly string[])[];
  /** Text of an item of SELECT DISTINCT. */
  readonly distinctText: (item: OutputColumn) => string;
}

/**
 * By what the rows below a SELECT fall into groups that make rows of the result each by itself: GROUP BY, what all its
 * windows are partitioned by, or all columns of SELECT DISTINCT. Empty where there is nothing of the kind, or where it is
 * no column of the result, so that its rows do not tell their groups.
 */
export function groupKeys(select: Select, { items, grouping, isGrouped, partitions, distinctText }: Parts): GroupKey[] {
  const known = ({ column }: GroupKey) => column !== -1;
  const keyOf = (sql: string) => ({ sql, column: items.findIndex(({ bound }) => bound.sql === sql) });
  if (isGrouped) {
    const keys = grouping.map(({ sql }) => keyOf(sql));
    return keepsGroupsApart(select) && keys.every(known) ? keys : [];
  }
  const [first, ...others] = partitions;
  if (first === undefined)
    return select.distinct && select.qualify === undefined
      ? items.map((item, column) => ({ sql: distinctText(item), column }))
      : [];
  const shared = [...new Set(first)].filter((sql) => others.every((other) => other.includes(sql)));
  return select.distinct ? [] : shared.map(keyOf).filter(known);
}

/** Whether each group's row depends on the rows of the group, and on nothing else of what is grouped. */
function keepsGroupsApart({ distinct, items, having, qualify }: Select): boolean {
  if (distinct || qualify !== undefined) return false;
  return !hasCall(
    [items, having],
    ({ name, over }) =>
      over !== undefined || (functionKind(name) === "aggregate" && !ORDER_FREE.has(name.toLowerCase())),
  );
}

/**
 * A SELECT by such groups.
 *
 * @param clauses their texts: the SELECT and FROM clauses, and what stands before and behind WHERE
 */
export function selectGroups(
  keys: readonly GroupKey[],
  { head, from, where, rest }: Record<"head" | "from" | "where" | "rest", string>,
): SelectGroups {
  const named = keys.map(({ sql }, i) => `${sql} AS ${keyName(i)}`);
  const isAmong = keys.map(({ sql }, i) => `${sql} IS NOT DISTINCT FROM ${quoteName(GROUPS)}.${keyName(i)}`);
  const chosen = `SEMI JOIN ${quoteName(GROUPS)} ON ${isAmong.join(" AND ")}`;
  return {
    keys: `SELECT DISTINCT ${named.join(", ")} ${from} ${where}`,
    some: `${head} ${from} ${chosen} ${where} ${rest}`,
    columns: keys.map(({ column }) => column),
  };
}

function keyName(i: number): string {
  return quoteName(`k${i}`);
}

/** @param prefix the WITH clause that stands before the query */
export function withPrefix(prefix: string, { keys, some, columns }: SelectGroups): SelectGroups {
  return { keys: `${prefix}${keys}`, some: `${prefix}${some}`, columns };
}
