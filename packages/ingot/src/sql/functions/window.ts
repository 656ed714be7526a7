import { coerce } from "../bind/bind-place.js";
import { callName } from "../bind/bound.js";
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

const ROWS_SO_FAR = "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW";

/** Ranks are INT in Spark, BIGINT in DuckDB. */
const rank =
  (name: string) =>
  (use: Use): Lowered => ({
    sql: castTo(use.window(`${name}()`), INT),
    type: INT,
    nullable: false,
    ...shown(name),
  });
const share =
  (name: string) =>
  (use: Use): Lowered => ({ sql: use.window(`${name}()`), type: DOUBLE, nullable: false, ...shown(name) });

/** The ranks stand in capitals, and with a frame of rows. */
function shown(name: string): Pick<Lowered, "name" | "frame"> {
  const called = `${name.endsWith("rank") ? name.toUpperCase() : name}()`;
  return name === "cume_dist" ? { name: called } : { name: called, frame: ROWS_SO_FAR };
}

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
    return { sql: castTo(use.window(`ntile(${buckets})`), INT), type: INT, nullable: false, frame: ROWS_SO_FAR };
  }),
  lag: { ...window([1, 3], true, (use) => neighbour(use, "lag")), ignoresNulls: true },
  lead: { ...window([1, 3], true, (use) => neighbour(use, "lead")), ignoresNulls: true },
  nth_value: { ...window([2, 2], true, nthValue), ignoresNulls: true },
};

function neighbour(use: Use, name: "lag" | "lead"): Lowered {
  const value = arg(use, 0);
  if (use.over?.frame !== undefined) throw unsupportedForm(use, `A frame for ${name}`, "Leave the frame out.");
  const offset = use.args.length > 1 ? constantOf(use, 1) : 1;
  if (offset === undefined) throw unsupportedForm(use, `${name} by a computed offset`, "Write a number.");
  const otherwise = use.args.length > 2 ? coerce(use.place, arg(use, 2), value.type).sql : castTo("NULL", value.type);
  const distance = name === "lag" ? -offset : offset;
  return {
    sql: use.window(`${name}(${value.sql}, ${offset}, ${otherwise})`),
    type: value.type,
    nullable: true,
    name: callName(name, [value, ...use.args.slice(1)], "", ["1", "NULL"].slice(use.args.length - 1)),
    frame: `ROWS BETWEEN ${distance} FOLLOWING AND ${distance} FOLLOWING`,
  };
}

function nthValue(use: Use): Lowered {
  const value = arg(use, 0);
  const n = constantOf(use, 1);
  if (n === undefined || n < 1) throw unsupportedForm(use, "nth_value of no positive constant", "Write a number.");
  const nulls = use.call.ignoreNulls === true ? " IGNORE NULLS" : "";
  return { sql: use.window(`nth_value(${value.sql}, ${n}${nulls})`), type: value.type, nullable: true };
}
