import type { DataType } from "../../model/data-type.js";
import type { QueryTotals, TotalKind } from "../../model/query.js";
import type { Select, SelectItem } from "../parse/ast.js";
import type { OutputColumn } from "./bound.js";
import { isAtomic, isFloating } from "./type-rules.js";

/** How the value of an aggregate over all rows comes of its values over parts of them. */
const KINDS: Readonly<Record<string, TotalKind>> = {
  count: "count",
  count_if: "count",
  sum: "sum",
  min: "min",
  max: "max",
  bool_and: "bool_and",
  every: "bool_and",
  bool_or: "bool_or",
  some: "bool_or",
  any: "bool_or",
  bit_and: "bit_and",
  bit_or: "bit_or",
};

/**
 * A SELECT of aggregates alone, without groups; undefined where one of them cannot be told from its values over parts of
 * the rows: by DISTINCT, over floating-point numbers, whose sum goes by their order, or within another expression.
 *
 * @param clauses their texts
 */
export function selectTotals(
  select: Select,
  items: readonly OutputColumn[],
  { from, where }: Record<"from" | "where", string>,
): QueryTotals | undefined {
  if (select.distinct || select.items.length !== items.length) return undefined;
  const kinds = items.flatMap(({ bound }, i) => kindOf(select.items[i], bound.type) ?? []);
  return kinds.length === items.length ? { rows: `SELECT count(*) AS n ${from} ${where}`, columns: kinds } : undefined;
}

function kindOf(item: SelectItem | undefined, type: DataType): TotalKind | undefined {
  if (item?.kind !== "expression" || item.expression.kind !== "call") return undefined;
  const { name, distinct, over } = item.expression;
  const kind = KINDS[name.toLowerCase()];
  if (kind === undefined || distinct || over !== undefined || !isAtomic(type) || isFloating(type)) return undefined;
  // The sum of more digits could pass what a decimal holds unseen.
  return kind === "sum" && type.kind === "decimal" && type.precision === 38 ? undefined : kind;
}

/** @param prefix the WITH clause that stands before the query */
export function prefixTotals(prefix: string, { rows, columns }: QueryTotals): QueryTotals {
  return { rows: `${prefix}${rows}`, columns };
}
