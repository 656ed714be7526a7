import type { DataType } from "../../model/data-type.js";
import { bindComparison } from "../bind/bind-operators.js";
import { coerce, expectBoolean, noCommonType } from "../bind/bind-place.js";
import { anyNullable, type Bound, joinNames } from "../bind/bound.js";
import { BOOLEAN, commonTypeOf, isAtomic, isComparable } from "../bind/type-rules.js";
import { orderKey } from "../lower/lower-order.js";
import { castTo } from "../lower/lower-text.js";
import { arg, type Functions, type Lowered, scalar, type Use, unsupportedForm } from "./function.js";

export const CONDITIONALS: Functions = {
  coalesce: scalar(1, 64, coalesce),
  nvl: scalar(2, 2, coalesce),
  ifnull: scalar(2, 2, coalesce),
  nullif: scalar(2, 2, (use) => {
    const value = arg(use, 0);
    const equal = bindComparison(use.place, "=", value, arg(use, 1), use.call.at);
    const sql =
      value.type.kind === "void"
        ? "NULL"
        : `CASE WHEN ${equal.sql} THEN ${castTo("NULL", value.type)} ELSE ${value.sql} END`;
    return { sql, type: value.type, nullable: true, throws: equal.throws };
  }),
  nvl2: scalar(3, 3, (use) => {
    const [a, b, type] = sharedType(use, [arg(use, 1), arg(use, 2)]);
    const sql = `CASE WHEN ${arg(use, 0).sql} IS NOT NULL THEN ${a} ELSE ${b} END`;
    return { sql, type, nullable: anyNullable(use.args.slice(1)), throws: true };
  }),
  if: scalar(3, 3, (use) => {
    const condition = expectBoolean(use.place, arg(use, 0));
    const [a, b, type] = sharedType(use, [arg(use, 1), arg(use, 2)]);
    return {
      sql: `CASE WHEN ${condition.sql} THEN ${a} ELSE ${b} END`,
      type,
      nullable: anyNullable(use.args.slice(1)),
      throws: true,
      name: joinNames(use.args, (names) => `(IF(${names.join(", ")}))`),
    };
  }),
  greatest: scalar(2, 64, (use) => extreme(use, "greatest")),
  least: scalar(2, 64, (use) => extreme(use, "least")),
  between: scalar(3, 3, between),
  isnull: scalar(1, 1, (use) => nullTest(use, "IS NULL", "IS NULL")),
  isnotnull: scalar(1, 1, (use) => nullTest(use, "IS NOT NULL", "IS NOT NULL")),
  equal_null: scalar(2, 2, (use) => {
    const { sql, type, nullable, throws } = bindComparison(use.place, "<=>", arg(use, 0), arg(use, 1), use.call.at);
    return { sql, type, nullable, throws };
  }),
};

/** The arguments in their common type, and the type. */
function shared(use: Use, values: readonly Bound[]): { readonly values: readonly Bound[]; readonly type: DataType } {
  const type = commonTypeOf(values.map((v) => v.type));
  if (type === undefined)
    throw noCommonType(
      use.place,
      use.call.at,
      use.call.name,
      values.map((v) => v.type),
    );
  return { values: values.map((v) => coerce(use.place, v, type)), type };
}

function sharedType(use: Use, pair: readonly [Bound, Bound]): readonly [string, string, DataType] {
  const { values, type } = shared(use, pair);
  const [a, b] = values;
  return [a?.sql ?? "", b?.sql ?? "", type];
}

function coalesce(use: Use): Lowered {
  const { values, type } = shared(use, use.args);
  const sql = type.kind === "void" ? "NULL" : `coalesce(${values.map((v) => v.sql).join(", ")})`;
  return { sql, type, nullable: values.every((v) => v.nullable), throws: values.some((v) => v.throws) };
}

/** NULL arguments do not count. */
function extreme(use: Use, name: "greatest" | "least"): Lowered {
  const kinds = use.args.map((a) => a.type.kind).filter((kind) => kind !== "void");
  // `findWiderTypeWithoutStringPromotion`
  if (kinds.includes("string") && kinds.some((kind) => kind !== "string"))
    throw noCommonType(
      use.place,
      use.call.at,
      name,
      use.args.map((a) => a.type),
    );
  const { values, type } = shared(use, use.args);
  if (!isComparable(type)) throw unsupportedForm(use, `${name} of maps`, "Maps have no order.");
  const listed = values.map((v) => `{'k': ${orderKey(v.sql, type)}, 'v': ${v.sql}}`).join(", ");
  const present = `list_filter([${listed}], lambda e: e['v'] IS NOT NULL)`;
  const sql =
    type.kind === "void"
      ? "NULL"
      : isAtomic(type)
        ? `${name}(${values.map((v) => v.sql).join(", ")})`
        : `struct_extract((list_sort(${present}))[${name === "greatest" ? -1 : 1}], 'v')`;
  return { sql, type, nullable: values.every((v) => v.nullable), throws: values.some((v) => v.throws) };
}

/** Spark reads it as two comparisons, each with its own common type. */
function between(use: Use): Lowered {
  const [value, low, high] = [arg(use, 0), arg(use, 1), arg(use, 2)];
  const above = bindComparison(use.place, ">=", value, low, use.call.at);
  const below = bindComparison(use.place, "<=", value, high, use.call.at);
  return {
    sql: `(${above.sql} AND ${below.sql})`,
    type: BOOLEAN,
    nullable: anyNullable(use.args),
    throws: above.throws || below.throws,
  };
}

function nullTest(use: Use, test: string, name: string): Lowered {
  const value = arg(use, 0);
  return {
    sql: `(${value.sql} ${test})`,
    type: BOOLEAN,
    nullable: false,
    name: joinNames([value], ([v]) => `(${v} ${name})`),
  };
}
