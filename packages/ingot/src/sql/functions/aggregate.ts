import type { DataType } from "../../model/data-type.js";
import { coerce, describe } from "../bind/bind-place.js";
import type { Bound } from "../bind/bound.js";
import {
  averageType,
  BIGINT,
  BOOLEAN,
  DOUBLE,
  isAtomic,
  isDecimal,
  isFloating,
  isInteger,
  sumType,
} from "../bind/type-rules.js";
import { averageOf } from "../lower/lower-arithmetic.js";
import { castTo } from "../lower/lower-text.js";
import {
  arg,
  argOf,
  type Functions,
  type Lowered,
  mismatch,
  type SparkFunction,
  type Use,
  unsupportedForm,
} from "./function.js";

const aggregate = (arity: readonly [number, number], bind: (use: Use) => Lowered, distinct = false): SparkFunction => ({
  kind: "aggregate",
  arity,
  distinct,
  bind,
});

export const AGGREGATES: Functions = {
  count: aggregate([0, 64], count, true),
  count_if: aggregate([1, 1], (use) => ({
    sql: castTo(use.window(`count(CASE WHEN ${argOf(use, 0, BOOLEAN).sql} THEN 1 END)`), BIGINT),
    type: BIGINT,
    nullable: false,
  })),
  sum: aggregate([1, 1], sum, true),
  avg: aggregate([1, 1], average, true),
  mean: aggregate([1, 1], average, true),
  min: aggregate([1, 1], (use) => extreme(use, "min"), true),
  max: aggregate([1, 1], (use) => extreme(use, "max"), true),
  max_by: aggregate([2, 2], (use) => extremeBy(use, "max")),
  min_by: aggregate([2, 2], (use) => extremeBy(use, "min")),
  bool_and: aggregate([1, 1], (use) => condition(use, "bool_and")),
  bool_or: aggregate([1, 1], (use) => condition(use, "bool_or")),
  every: aggregate([1, 1], (use) => condition(use, "bool_and")),
  some: aggregate([1, 1], (use) => condition(use, "bool_or")),
  any: aggregate([1, 1], (use) => condition(use, "bool_or")),
};

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
function average(use: Use): Lowered {
  const value = summable(use);
  const counted = use.window(`count(${distinctOf(use)}${value.sql})`);
  if (!isDecimal(value.type)) {
    const total = isFloating(value.type) ? orderedSum(use, value) : `sum(${distinctOf(use)}${value.sql})`;
    return { sql: `(${castTo(use.window(total), DOUBLE)} / ${counted})`, type: DOUBLE, nullable: true };
  }
  const type = averageType(value.type);
  if (value.type.precision + 4 > type.precision)
    throw unsupportedForm(
      use,
      `${use.call.name} of ${describe(value.type)}, a ${describe(type)} in Spark,`,
      "CAST to a narrower decimal: 34 digits at most.",
      value.at,
    );
  const total = use.window(`sum(${distinctOf(use)}${value.sql})`);
  return { sql: averageOf(total, sumType(value.type), counted, type), type, nullable: true, throws: true };
}

function extreme(use: Use, name: "min" | "max"): Lowered {
  const value = arg(use, 0);
  if (!isAtomic(value.type) || value.type.kind === "void")
    throw unsupportedForm(use, `${name} of ${describe(value.type)}`, `Use ${name}_by with a single column.`, value.at);
  return { sql: use.window(`${name}(${value.sql})`), type: value.type, nullable: true };
}

/**
 * The value in the row with the greatest (least) ordering; rows whose ordering is NULL do not count, a NULL value does.
 * Spark leaves a tie open: here the greatest (least) value wins, NULL being the least.
 */
function extremeBy(use: Use, name: "min" | "max"): Lowered {
  const value = arg(use, 0);
  const ordering = arg(use, 1);
  if (!isAtomic(ordering.type) || ordering.type.kind === "void")
    throw unsupportedForm(
      use,
      `${use.call.name} by ${describe(ordering.type)}`,
      "Order by a single column.",
      ordering.at,
    );
  if (value.type.kind === "map" || value.type.kind === "void")
    throw unsupportedForm(use, `${use.call.name} of ${describe(value.type)}`, "Take a struct of columns.", value.at);
  const row = `CASE WHEN ${ordering.sql} IS NOT NULL THEN {'o': ${ordering.sql}, 'k': ${value.sql} IS NOT NULL, 'v': ${value.sql}} END`;
  return { sql: `struct_extract(${use.window(`${name}(${row})`)}, 'v')`, type: value.type, nullable: true };
}

function condition(use: Use, name: "bool_and" | "bool_or"): Lowered {
  return { sql: use.window(`${name}(${argOf(use, 0, BOOLEAN).sql})`), type: BOOLEAN, nullable: true };
}
