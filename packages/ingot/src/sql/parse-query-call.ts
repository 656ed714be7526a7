import type { Argument, Call, Frame, FrameBound, SortKey, Window } from "./ast.js";
import {
  clauseName,
  type Foreign,
  firstSpan,
  indexOf,
  list,
  type Mapped,
  mapExpression,
  nameOf,
  offsetOf,
  part,
  parts,
  refuse,
  type Source,
  variant,
} from "./parse-query-foreign.js";

/** `f(x)`, `count(*)`, `sum(DISTINCT x) FILTER (WHERE y) OVER (…)`. */
export function mapCall(source: Source, node: Foreign): Mapped {
  const first = indexOf(source, node["name"]);
  parts(source, node, ["name", "args", "filter", "over"], first);
  const names = list(node["name"]).map((p) => nameOf(source, variant(p)[1]));
  const [name, ...more] = names;
  if (name === undefined || more.length > 0) throw refuse(source, first, "A function with a qualified name");
  const { args, star, distinct } = mapArguments(source, node["args"], first);
  const filter = part(node, "filter");
  const over = part(node, "over");
  const call: Call = {
    kind: "call",
    at: offsetOf(source, first),
    name,
    args,
    star,
    distinct,
    ...(filter === undefined ? {} : { filter: mapExpression(source, filter) }),
    ...(over === undefined ? {} : { over: mapWindow(source, over, first) }),
  };
  return { first, expression: call };
}

function mapArguments(source: Source, node: unknown, first: number): Pick<Call, "args" | "star" | "distinct"> {
  const [kind, inner] = variant(node ?? "None");
  if (kind === "None") return { args: [], star: false, distinct: false };
  if (kind !== "List") throw refuse(source, first, "A query as an argument", "Put it in another pair of parentheses.");
  const { args, duplicate_treatment: treatment } = parts(source, inner, ["args", "duplicate_treatment"], first);
  let star = false;
  const mapped: Argument[] = [];
  for (const arg of list(args)) {
    const [form, value] = variant(arg);
    const [what, expression] = variant(value);
    if (form !== "Unnamed") throw refuse(source, firstSpan(source, arg) ?? first, "A named argument");
    if (what === "Wildcard") star = true;
    else if (what === "Expr") mapped.push({ expression: mapExpression(source, expression) });
    else throw refuse(source, first, "A star with a qualifier as an argument");
  }
  if (star && mapped.length > 0) throw refuse(source, first, "A star beside other arguments");
  return { args: mapped, star, distinct: treatment === "Distinct" };
}

/** `struct(a, b AS c)`, which the foreign parser reads by its own rule. */
export function mapStruct(source: Source, node: Foreign): Mapped {
  const values = list(node["values"]);
  const first = (firstSpan(source, values) ?? 2) - 2;
  parts(source, node, ["values"], first);
  const args = values.map((value): Argument => {
    const [kind, inner] = variant(value);
    if (kind !== "Named") return { expression: mapExpression(source, value) };
    const { expr, name } = inner as Foreign;
    return { expression: mapExpression(source, expr), name: nameOf(source, name) };
  });
  const at = offsetOf(source, first);
  return { first, expression: { kind: "call", at, name: "struct", args, star: false, distinct: false } };
}

function mapWindow(source: Source, node: unknown, first: number): Window {
  const [kind, inner] = variant(node);
  if (kind !== "WindowSpec") throw refuse(source, first, "A named window", "Write the window in OVER (…).");
  const spec = parts(source, inner, ["partition_by", "order_by", "window_frame"], first);
  const partitionBy = list(spec["partition_by"]).map((e) => mapExpression(source, e));
  const orderBy = mapSortKeys(source, list(spec["order_by"]));
  const frame = part(spec, "window_frame");
  return {
    at: offsetOf(source, first),
    partitionBy,
    orderBy,
    ...(frame === undefined ? {} : { frame: mapFrame(source, frame as Foreign, first) }),
  };
}

function mapFrame(source: Source, node: Foreign, first: number): Frame {
  const unit = String(node["units"]).toUpperCase();
  if (unit !== "ROWS" && unit !== "RANGE") throw refuse(source, first, `A frame by ${unit}`);
  const end = part(node, "end_bound");
  return {
    unit,
    start: mapBound(source, node["start_bound"], first),
    end: end === undefined ? { kind: "current row" } : mapBound(source, end, first),
  };
}

function mapBound(source: Source, node: unknown, first: number): FrameBound {
  const [kind, rows] = variant(node);
  if (kind === "CurrentRow") return { kind: "current row" };
  if (kind !== "Preceding" && kind !== "Following") throw refuse(source, first, `The frame bound ${clauseName(kind)}`);
  const side = kind === "Preceding" ? "preceding" : "following";
  if (rows === undefined || rows === null) return { kind: `unbounded ${side}` };
  const count = mapExpression(source, rows);
  if (count.kind === "literal" && /^\d{1,9}$/.test(count.value)) return { kind: side, rows: Number(count.value) };
  throw refuse(source, firstSpan(source, rows) ?? first, "A frame bound that is no whole number");
}

export function mapSortKeys(source: Source, keys: readonly unknown[]): SortKey[] {
  return keys.map((node) => {
    const index = firstSpan(source, node) ?? 0;
    const key = parts(source, node, ["expr", "options"], index);
    if (source.reader.tokens[index]?.text.toUpperCase() === "ALL")
      throw refuse(source, index, "ORDER BY ALL", "List the columns.");
    const options = (part(key, "options") ?? {}) as Foreign;
    const nullsFirst = options["nulls_first"];
    return {
      expression: mapExpression(source, key["expr"]),
      descending: options["asc"] === false,
      ...(typeof nullsFirst === "boolean" ? { nullsFirst } : {}),
    };
  });
}
