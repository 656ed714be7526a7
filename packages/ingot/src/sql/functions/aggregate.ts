import type { DataType } from "../../model/data-type.js";
import { coerce, describe } from "../bind/bind-place.js";
import { bindSortKey } from "../bind/bind-window.js";
import { type Bound, callName, joinNames } from "../bind/bound.js";
import {
  averageType,
  BIGINT,
  BOOLEAN,
  DOUBLE,
  isAtomic,
  isComparable,
  isDecimal,
  isFloating,
  isInteger,
  sumType,
} from "../bind/type-rules.js";
import { averageOf } from "../lower/lower-arithmetic.js";
import { longDecimal } from "../lower/lower-long-decimal.js";
import { orderKey } from "../lower/lower-order.js";
import { castTo, duckdbType } from "../lower/lower-text.js";
import {
  aggregate,
  arg,
  argOf,
  type Functions,
  type Lowered,
  mismatch,
  type SparkFunction,
  type Use,
  unsupportedForm,
} from "./function.js";

export const AGGREGATES: Functions = {
  count: aggregate([0, 64], count, { distinct: true }),
  count_if: aggregate([1, 1], (use) => ({
    sql: castTo(use.window(`count(CASE WHEN ${argOf(use, 0, BOOLEAN).sql} THEN 1 END)`), BIGINT),
    type: BIGINT,
    nullable: false,
  })),
  sum: aggregate([1, 1], sum, { distinct: true }),
  avg: aggregate([1, 1], average, { distinct: true }),
  mean: aggregate([1, 1], average, { distinct: true }),
  min: aggregate([1, 1], (use) => extreme(use, "min"), { distinct: true }),
  max: aggregate([1, 1], (use) => extreme(use, "max"), { distinct: true }),
  max_by: aggregate([2, 2], (use) => extremeBy(use, "max")),
  min_by: aggregate([2, 2], (use) => extremeBy(use, "min")),
  bool_and: aggregate([1, 1], (use) => condition(use, "bool_and")),
  bool_or: aggregate([1, 1], (use) => condition(use, "bool_or")),
  every: aggregate([1, 1], (use) => condition(use, "bool_and")),
  some: aggregate([1, 1], (use) => condition(use, "bool_or")),
  any: aggregate([1, 1], (use) => condition(use, "bool_or")),
  bit_and: aggregate([1, 1], (use) => ofBits(use, "bit_and"), { distinct: true }),
  bit_or: aggregate([1, 1], (use) => ofBits(use, "bit_or"), { distinct: true }),
  bit_xor: aggregate([1, 1], (use) => ofBits(use, "bit_xor"), { distinct: true }),
  try_sum: aggregate([1, 1], trySum, { distinct: true }),
  try_avg: aggregate([1, 1], average, { distinct: true }),
  first: edge("first"),
  first_value: edge("first"),
  any_value: edge("first"),
  last: edge("last"),
  last_value: edge("last"),
  mode: aggregate([0, 2], mode, { within: true }),
};

/**
 * The value that comes most often. Of those that come as often Spark takes any, here the least; `mode(x, true)` and WITHIN
 * GROUP (ORDER BY x) take the least, with DESC the greatest. Spark shows that order turned round.
 */
function mode(use: Use): Lowered {
  const [key, second] = use.call.within ?? [];
  const wrong = use.args.length === (key === undefined ? 0 : 1) || use.args.length === (key === undefined ? 3 : 2);
  if (second !== undefined || wrong)
    throw unsupportedForm(
      use,
      "mode of more or less than one value",
      "Write mode(x) or mode() WITHIN GROUP (ORDER BY x).",
    );
  const value = key === undefined ? arg(use, 0) : bindSortKey({ ...use.place, aggregates: false }, key).bound;
  if (!isAtomic(value.type) || use.over !== undefined)
    throw unsupportedForm(
      use,
      `mode of ${describe(value.type)} or in a window`,
      "Count and rank the values.",
      value.at,
    );
  const flag = use.args.length > 1 ? arg(use, 1).literal : undefined;
  if (use.args.length > 1 && flag?.type !== "boolean")
    throw unsupportedForm(use, "mode with a computed flag", "Write true or false.", arg(use, 1).at);
  const descends = key?.descending === true;
  const isOrdered = key !== undefined || flag?.value === "true";
  const shown = isOrdered
    ? joinNames([value], ([x]) => `mode() WITHIN GROUP (ORDER BY ${x}${descends ? "" : " DESC"})`)
    : callName("mode", [value]);
  const sql = use.window(`mode(${value.sql} ORDER BY ${value.sql}${descends ? " DESC" : ""})`);
  return { sql, type: value.type, nullable: true, name: shown };
}

const distinctOf = (use: Use) => (use.call.distinct ? "DISTINCT " : "");

/** `count(*)`; `count(a, b)` counts rows where no argument is NULL. */
function count(use: Use): Lowered {
  const lowered = (sql: string, name?: string): Lowered => ({
    sql: use.window(sql),
    type: BIGINT,
    nullable: false,
    ...(name === undefined ? {} : { name }),
  });
  if (use.call.star) return lowered("count(*)", "count(1)");
  const [first, second] = use.args;
  if (first === undefined) throw unsupportedForm(use, "count()", "Write count(*).");
  if (second === undefined) return lowered(`count(${distinctOf(use)}${first.sql})`);
  const present = use.args.map((a) => `${a.sql} IS NOT NULL`).join(" AND ");
  const value = use.call.distinct ? `row(${use.args.map((a) => a.sql).join(", ")})` : "1";
  return lowered(`count(${distinctOf(use)}CASE WHEN ${present} THEN ${value} END)`);
}

function sum(use: Use): Lowered {
  const value = summable(use);
  if (isFloating(value.type)) return { sql: use.window(orderedSum(use, value)), type: DOUBLE, nullable: true };
  const type: DataType = isDecimal(value.type) ? sumType(value.type) : BIGINT;
  return { sql: castTo(use.window(`sum(${distinctOf(use)}${value.sql})`), type), type, nullable: true, throws: true };
}

/** Floating-point numbers add up in the order of their size, so that the same rows always give the same sum. */
function orderedSum(use: Use, value: Bound): string {
  if (use.call.over !== undefined)
    throw unsupportedForm(use, "A running sum of floating-point numbers", "Cast to DECIMAL.", value.at);
  const double = castTo(value.sql, DOUBLE);
  return `sum(${distinctOf(use)}${double} ORDER BY ${double})`;
}

function summable(use: Use): Bound {
  const value = arg(use, 0);
  if (value.type.kind === "void" || value.type.kind === "string") return coerce(use.place, value, DOUBLE);
  if (!isInteger(value.type) && !isDecimal(value.type) && !isFloating(value.type))
    throw mismatch(use, value, "a number");
  return value;
}

/** Whole numbers are averaged as doubles of their exact sum, decimals exactly. */
export function average(use: Use): Lowered {
  const value = summable(use);
  const counted = use.window(`count(${distinctOf(use)}${value.sql})`);
  if (!isDecimal(value.type)) {
    const total = isFloating(value.type) ? orderedSum(use, value) : `sum(${distinctOf(use)}${value.sql})`;
    return { sql: `(${castTo(use.window(total), DOUBLE)} / ${counted})`, type: DOUBLE, nullable: true };
  }
  const type = averageType(value.type);
  const total = use.window(`sum(${distinctOf(use)}${value.sql})`);
  const sql =
    value.type.precision + 4 > type.precision
      ? longDecimal("/", { ...value, sql: total }, { ...value, sql: `nullif(${counted}, 0)` }, type)
      : averageOf(total, sumType(value.type), counted, type);
  return { sql, type, nullable: true, throws: true };
}

function extreme(use: Use, name: "min" | "max"): Lowered {
  const value = arg(use, 0);
  if (!isComparable(value.type) || value.type.kind === "void")
    throw unsupportedForm(use, `${name} of ${describe(value.type)}`, `Use ${name}_by with a single column.`, value.at);
  const sql = isAtomic(value.type)
    ? `${name}(${value.sql})`
    : `arg_${name}(${value.sql}, ${orderKey(value.sql, value.type)})`;
  return { sql: use.window(sql), type: value.type, nullable: true };
}

/**
 * The value in the row with the greatest (least) ordering; rows whose ordering is NULL do not count, a NULL value does.
 * Spark leaves a tie open: here the greatest (least) value wins, NULL being the least.
 */
function extremeBy(use: Use, name: "min" | "max"): Lowered {
  const value = arg(use, 0);
  const ordering = arg(use, 1);
  if (!isComparable(ordering.type) || ordering.type.kind === "void")
    throw unsupportedForm(use, `${use.call.name} by ${describe(ordering.type)}`, "Order by columns.", ordering.at);
  if (value.type.kind === "map" || value.type.kind === "void")
    throw unsupportedForm(use, `${use.call.name} of ${describe(value.type)}`, "Take a struct of columns.", value.at);
  const row = `CASE WHEN ${ordering.sql} IS NOT NULL THEN {'o': ${orderKey(ordering.sql, ordering.type)}, 'k': ${value.sql} IS NOT NULL, 'v': ${value.sql}} END`;
  return { sql: `struct_extract(${use.window(`${name}(${row})`)}, 'v')`, type: value.type, nullable: true };
}

function ofBits(use: Use, name: string): Lowered {
  const value = argOf(use, 0, BIGINT, isInteger);
  return { sql: use.window(`${name}(${distinctOf(use)}${value.sql})`), type: value.type, nullable: true };
}

/** NULL where the sum does not fit its type. */
function trySum(use: Use): Lowered {
  const { type } = sum(use);
  const value = summable(use);
  if (isFloating(value.type)) return { ...sum(use), throws: false };
  const total = use.window(`sum(${distinctOf(use)}${value.sql})`);
  return { sql: `TRY_CAST(${total} AS ${duckdbType(type)})`, type, nullable: true };
}

/** The value of the first (last) row; of those that are not NULL where they are to be passed over. */
function edge(name: "first" | "last"): SparkFunction {
  return {
    kind: "aggregate",
    arity: [1, 2],
    ignoresNulls: true,
    ordered: true,
    bind: (use) => {
      const value = arg(use, 0);
      const flag = use.args.length > 1 ? arg(use, 1).literal : undefined;
      if (use.args.length > 1 && flag?.type !== "boolean")
        throw unsupportedForm(use, `${use.call.name} with a computed flag`, "Write true or false.", arg(use, 1).at);
      const passesNulls = use.call.ignoreNulls === true || flag?.value === "true";
      const call = `${name}(${value.sql}${passesNulls && use.over !== undefined ? " IGNORE NULLS" : ""})`;
      const present = `list_filter(${use.over === undefined ? use.window(`list(${value.sql})`) : ""}, lambda e: e IS NOT NULL)`;
      const sql =
        passesNulls && use.over === undefined ? `(${present})[${name === "first" ? 1 : -1}]` : use.window(call);
      const shown = callName(use.call.ignoreNulls === true ? name : use.call.name.toLowerCase(), use.args.slice(0, 1));
      return { sql, type: value.type, nullable: true, name: shown };
    },
  };
}

function condition(use: Use, name: "bool_and" | "bool_or"): Lowered {
  return { sql: use.window(`${name}(${argOf(use, 0, BOOLEAN).sql})`), type: BOOLEAN, nullable: true };
}
