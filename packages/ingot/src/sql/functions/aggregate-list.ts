import type { ArrayType } from "../../model/data-type.js";
import { bindSortKey } from "../bind/bind-window.js";
import { callName } from "../bind/bound.js";
import { isAtomic, isComparable, STRING } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
import {
  aggregate,
  arg,
  argOf,
  type Functions,
  type Lowered,
  mismatch,
  type Use,
  unsupportedForm,
} from "./function.js";

const listed = aggregate([1, 1], collect, { distinct: true });
const joined = aggregate([1, 2], join, { distinct: true, within: true });

/** Aggregates that keep the values themselves; NULL does not count. */
export const LIST_AGGREGATES: Functions = {
  collect_list: listed,
  array_agg: listed,
  collect_set: aggregate([1, 1], collectSet),
  listagg: joined,
  string_agg: joined,
};

function collect(use: Use): Lowered {
  const value = arg(use, 0);
  const type: ArrayType = { kind: "array", element: value.type, containsNull: false };
  const all = use.window(`list(${use.call.distinct ? "DISTINCT " : ""}${value.sql})`);
  const name = callName("collect_list", use.args, use.call.distinct ? "DISTINCT " : "");
  return { sql: presentOf(all, type), type, nullable: false, name };
}

function presentOf(list: string, type: ArrayType): string {
  return castTo(`coalesce(list_filter(${list}, lambda e: e IS NOT NULL), [])`, type);
}

/** Spark leaves the order open: here it is that of the values. */
function collectSet(use: Use): Lowered {
  const value = arg(use, 0);
  if (!isComparable(value.type)) throw mismatch(use, value, "what can be compared");
  const type: ArrayType = { kind: "array", element: value.type, containsNull: false };
  const set = presentOf(`list_distinct(${use.window(`list(${value.sql})`)})`, type);
  return { sql: isAtomic(value.type) ? `list_sort(${set})` : set, type, nullable: false };
}

/** Texts in the order of WITHIN GROUP, or of the input. */
function join(use: Use): Lowered {
  const value = argOf(use, 0, STRING, (t) => t.kind === "binary");
  if (value.type.kind === "binary") throw mismatch(use, value, "a STRING");
  if (use.over !== undefined)
    throw unsupportedForm(use, `${use.call.name} in a window`, "Aggregate in a subquery first.");
  const separator = use.args.length > 1 ? argOf(use, 1, STRING) : undefined;
  if (separator !== undefined && separator.literal === undefined)
    throw unsupportedForm(use, `${use.call.name} with a computed separator`, "Write it as a constant.", separator.at);
  const keys = (use.call.within ?? []).map((key) => bindSortKey({ ...use.place, aggregates: false }, key));
  // Without an order Spark takes distinct texts in any: here it is their own.
  const own = use.call.distinct ? ` ORDER BY ${value.sql}` : "";
  const order = keys.length === 0 ? own : ` ORDER BY ${keys.map((k) => k.sql).join(", ")}`;
  const by = separator === undefined || separator.literal?.type === "null" ? "''" : separator.sql;
  const sql = use.window(`string_agg(${use.call.distinct ? "DISTINCT " : ""}${value.sql}, ${by}${order})`);
  return {
    sql,
    type: STRING,
    nullable: true,
    name: nameOfJoin(
      use,
      keys.map((k) => k.bound.name),
    ),
  };
}

function nameOfJoin(use: Use, keys: readonly (string | undefined)[]): string | undefined {
  const shown = use.args.length > 1 ? "" : ", NULL";
  // With its order it is shown by its first name.
  const shownName = use.call.within === undefined ? use.call.name.toLowerCase() : "listagg";
  const name = callName(shownName, use.args, use.call.distinct ? "DISTINCT " : "");
  if (name === undefined || keys.includes(undefined)) return undefined;
  const call = `${name.slice(0, -1)}${shown})`;
  const order = use.call.within?.map(
    ({ descending, nullsFirst = !descending }, i) =>
      `${keys[i]} ${descending ? "DESC" : "ASC"} NULLS ${nullsFirst ? "FIRST" : "LAST"}`,
  );
  return order === undefined ? call : `${call} WITHIN GROUP (ORDER BY ${order.join(", ")})`;
}
