import { coerce } from "../bind/bind-place.js";
import { DOUBLE, INT } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
import {
  arg,
  constantOf,
  type Functions,
  type Lowered,
  type SparkFunction,
  type Use,
  unsupportedForm,
} from "./function.js";

const window = (arity: readonly [number, number], ordered: boolean, bind: (use: Use) => Lowered): SparkFunction => ({
  kind: "window",
  arity,
  ordered,
  bind,
});

/** Ranks are INT in Spark, BIGINT in DuckDB. */
const rank =
  (name: string) =>
  (use: Use): Lowered => ({
    sql: castTo(use.window(`${name}()`), INT),
    type: INT,
    nullable: false,
  });
const share =
  (name: string) =>
  (use: Use): Lowered => ({ sql: use.window(`${name}()`), type: DOUBLE, nullable: false });

export const WINDOW_FUNCTIONS: Functions = {
  row_number: window([0, 0], true, rank("row_number")),
  rank: window([0, 0], false, rank("rank")),
  dense_rank: window([0, 0], false, rank("dense_rank")),
  percent_rank: window([0, 0], false, share("percent_rank")),
  cume_dist: window([0, 0], false, share("cume_dist")),
  ntile: window([1, 1], true, (use) => {
    const buckets = constantOf(use, 0);
    if (buckets === undefined || buckets < 1)
      throw unsupportedForm(use, "ntile of no positive constant", "Write a number.");
    return { sql: castTo(use.window(`ntile(${buckets})`), INT), type: INT, nullable: false };
  }),
  lag: window([1, 3], true, (use) => neighbour(use, "lag")),
  lead: window([1, 3], true, (use) => neighbour(use, "lead")),
  first_value: window([1, 1], true, (use) => edge(use, "first_value")),
  last_value: window([1, 1], true, (use) => edge(use, "last_value")),
};

function neighbour(use: Use, name: "lag" | "lead"): Lowered {
  const value = arg(use, 0);
  if (use.call.over?.frame !== undefined) throw unsupportedForm(use, `A frame for ${name}`, "Leave the frame out.");
  const offset = use.args.length > 1 ? constantOf(use, 1) : 1;
  if (offset === undefined) throw unsupportedForm(use, `${name} by a computed offset`, "Write a number.");
  const otherwise = use.args.length > 2 ? coerce(use.place, arg(use, 2), value.type).sql : castTo("NULL", value.type);
  return { sql: use.window(`${name}(${value.sql}, ${offset}, ${otherwise})`), type: value.type, nullable: true };
}

function edge(use: Use, name: string): Lowered {
  const value = arg(use, 0);
  // All rows of a tie share the last value; a tie-breaker would tell them apart.
  if (name === "last_value" && use.call.over?.frame?.unit !== "ROWS")
    throw unsupportedForm(use, "last_value without a ROWS frame", "Add ROWS BETWEEN … to the window.");
  return { sql: use.window(`${name}(${value.sql})`), type: value.type, nullable: true };
}
