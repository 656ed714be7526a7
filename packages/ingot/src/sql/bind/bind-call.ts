import type { Lowered, SparkFunction, Use } from "../functions/function.js";
import { GENERATORS } from "../functions/generator.js";
import { hintFor } from "../functions/refusal-hint.js";
import { isSparkFunction, nearestFunction, REGISTRY } from "../functions/registry.js";
import { castTo } from "../lower/lower-text.js";
import type { Argument, Call, Expression, Window, WindowName } from "../parse/ast.js";
import { unboundLambda } from "./bind-lambda.js";
import { expectCondition, fail, type Place, unsupported } from "./bind-place.js";
import { same } from "./bind-scope.js";
import { starPaths } from "./bind-star.js";
import { bindWindow } from "./bind-window.js";
import { type Bound, callName, derive, mayBeConstantNull } from "./bound.js";
import { asInfluence, combineOrigins } from "./origins.js";

export function bindCall(place: Place, written: Call): Bound {
  const fn = REGISTRY.get(written.name.toLowerCase());
  if (fn === undefined) throw unknownFunction(place, written);
  const call = placeArguments(place, expandStars(place, written), fn);
  checkForm(place, call, fn);
  return fn.kind === "scalar" ? bindScalar(place, call, fn) : bindAggregate(place, call, fn);
}

/** `f(*)` and `f(t.*)` take all these columns. */
function expandStars(place: Place, call: Call): Call {
  if (!call.args.some((a) => a.expression.kind === "star")) return call;
  const isCount = call.name.toLowerCase() === "count";
  const args = call.args.flatMap((argument): Argument[] => {
    const { expression } = argument;
    if (expression.kind !== "star") return [argument];
    if (isCount && expression.qualifier.length > 0)
      throw unsupported(place, expression.at, "count(t.*)", "Name the columns, or write count(*).");
    return starPaths(place, expression).map((path) => ({
      expression: { kind: "column", at: expression.at, path },
    }));
  });
  return { ...call, args };
}

/** Puts `name => value` into its place. */
function placeArguments(place: Place, call: Call, fn: SparkFunction): Call {
  const named = call.args.filter((a) => a.keyword === true);
  if (named.length === 0) return call;
  const refuse = (what: string, hint: string, at: number) =>
    fail(place, at, "UNSUPPORTED_CLAUSE", what, hint, call.name);
  const { parameters } = fn;
  const [first] = named;
  if (parameters === undefined || first === undefined)
    throw refuse(`${call.name} takes no named arguments`, "Give the arguments by their place.", call.at);
  const args: Argument[] = call.args.filter((a) => a.keyword !== true).map(({ expression }) => ({ expression }));
  const last = Math.max(...named.map((n) => parameters.findIndex(([name]) => same(name, n.name ?? ""))));
  for (const { name = "", expression } of named) {
    const index = parameters.findIndex(([known]) => same(known, name));
    if (index < args.length)
      throw refuse(`${call.name} has no argument ${name} here`, "Check the names of its arguments.", expression.at);
  }
  for (let i = args.length; i <= last; i++) {
    const [name = "", otherwise] = parameters[i] ?? [];
    const given = named.find((n) => same(n.name ?? "", name))?.expression ?? otherwise;
    if (given === undefined) throw refuse(`${call.name} needs its argument ${name}`, "Add it.", call.at);
    args.push({ expression: given });
  }
  return { ...call, args };
}

function unknownFunction(place: Place, call: Call) {
  const { name } = call;
  if (GENERATORS.has(name.toLowerCase()))
    return fail(
      place,
      call.at,
      "UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS",
      `${name} stands alone in a select list, after LATERAL VIEW or in FROM`,
      "Make its rows in a subquery first.",
      name,
    );
  if (isSparkFunction(name))
    return fail(
      place,
      call.at,
      "UNSUPPORTED_FUNCTION",
      `The function ${name} is not supported yet`,
      hintFor(name),
      name,
    );
  const near = nearestFunction(name);
  const hint = near === undefined ? "Spark has no such function." : `Did you mean ${near}?`;
  return fail(place, call.at, "UNRESOLVED_ROUTINE", `There is no function ${name}`, hint, name);
}

function checkForm(place: Place, call: Call, fn: SparkFunction): void {
  const count = call.args.length;
  const [least, most] = fn.arity;
  if (count < least || count > most) {
    const wanted = least === most ? `${least}` : `${least} to ${most}`;
    throw fail(
      place,
      call.at,
      "WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
      `${call.name} takes ${wanted} argument${wanted === "1" ? "" : "s"}, not ${count}`,
      "Check the arguments.",
      call.name,
    );
  }
  const refuse = (what: string, hint: string) => fail(place, call.at, "UNSUPPORTED_CLAUSE", what, hint, call.name);
  const lambda = call.args.findIndex((a, i) => (a.expression.kind === "lambda") !== (fn.lambdas?.includes(i) === true));
  if (lambda !== -1)
    throw fail(
      place,
      call.args[lambda]?.expression.at ?? call.at,
      "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
      fn.lambdas?.includes(lambda) === true
        ? `${call.name} takes a lambda here, x -> …`
        : `${call.name} takes no lambda here`,
      "Check the order of the arguments.",
      call.name,
    );
  if (call.distinct && fn.distinct !== true)
    throw refuse(`${call.name}(DISTINCT …) is not supported`, "Leave DISTINCT out.");
  if (call.args.some((a) => a.name !== undefined) && call.name.toLowerCase() !== "struct")
    throw refuse(`${call.name} takes no names for its arguments`, "Leave AS out.");
  if (call.within !== undefined && fn.within !== true)
    throw refuse(`${call.name} takes no WITHIN GROUP`, "Leave it out.");
  if (call.ignoreNulls === true && fn.ignoresNulls !== true)
    throw refuse(`IGNORE NULLS of ${call.name} is not supported yet`, "Filter with FILTER (WHERE x IS NOT NULL).");
  if (fn.kind === "scalar" && (call.filter !== undefined || call.over !== undefined))
    throw refuse(`${call.name} takes neither FILTER nor OVER`, "They belong to aggregate functions.");
  if (fn.kind === "window" && call.filter !== undefined) throw refuse(`${call.name} takes no FILTER`, "Leave it out.");
  if (fn.kind === "window" && call.over === undefined)
    throw refuse(`${call.name} needs a window`, `Write ${call.name}(…) OVER (…).`);
  if (call.distinct && call.over !== undefined)
    throw refuse("DISTINCT in a window is not supported", "Aggregate in a subquery first.");
}

function bindScalar(place: Place, call: Call, fn: SparkFunction): Bound {
  const args = bindAll({ ...place, filter: false }, call);
  return finish({ place, call, args, window: (sql) => sql }, fn, []).bound;
}

/** A lambda waits for the function, which knows the types of its parameters. */
function bindAll(place: Place, call: Call): Bound[] {
  return call.args.map(({ expression }) =>
    expression.kind === "lambda" ? unboundLambda(expression) : place.binder.bind(place, expression),
  );
}

function bindAggregate(place: Place, call: Call, fn: SparkFunction): Bound {
  const windowed = call.over !== undefined;
  const allowed = windowed ? place.windows : place.aggregates;
  const what = windowed ? "A window function" : "An aggregate function";
  const hint = windowed
    ? "Compute it in a subquery, or filter with QUALIFY."
    : "Use HAVING, or aggregate in a subquery.";
  if (!allowed)
    throw fail(place, call.at, "UNSUPPORTED_CLAUSE", `${what} cannot stand in ${place.clause}`, hint, call.name);
  const inner: Place = {
    ...place,
    filter: false,
    clause: windowed ? "a window function" : "an aggregate function",
    aggregates: windowed && place.aggregates,
    windows: false,
    // Within an aggregate function a name means the input's column, not the group that is made of it.
    grouping: windowed ? place.grouping : new Set(),
    aliasesFirst: windowed && place.aliasesFirst,
  };
  const args = bindAll(inner, call);
  const condition = call.filter === undefined ? undefined : bindFilter(inner, call.filter);
  const filter = condition === undefined ? "" : ` FILTER (WHERE ${condition.sql})`;
  const window = call.over === undefined ? undefined : windowOf(place, call.over);
  const over = window === undefined ? undefined : bindWindow(inner, window, call.name, fn);
  const use: Use = {
    place,
    call,
    args,
    ...(window === undefined ? {} : { over: window }),
    window: (sql) => `${sql}${filter}${over === undefined ? "" : ` OVER (${over.sql})`}`,
  };
  const { bound, frame } = finish(use, fn, [...(condition === undefined ? [] : [condition]), ...(over?.parts ?? [])]);
  const name = condition === undefined ? bound.name : filterName(bound, condition);
  if (over !== undefined) {
    const shown = over.name(frame);
    const own = name === undefined || shown === undefined ? undefined : `${name} OVER (${shown})`;
    return { ...bound, name: own, window: true };
  }
  const origins = combineOrigins([bound], bound.type, "aggregated");
  return { ...bound, name, aggregate: true, loose: [], origins };
}

/** @throws IngotError MISSING_WINDOW_SPECIFICATION */
function windowOf(place: Place, over: Window | WindowName): Window {
  if (!("name" in over)) return over;
  const window = place.namedWindows?.get(over.name);
  if (window !== undefined) return window;
  const hint = "Define it with WINDOW … AS (…).";
  throw fail(place, over.at, "MISSING_WINDOW_SPECIFICATION", `There is no window ${over.name}`, hint, over.name);
}

function filterName(bound: Bound, condition: Bound): string | undefined {
  if (bound.name === undefined || condition.name === undefined) return undefined;
  return `${bound.name} FILTER (WHERE ${condition.name})`;
}

function bindFilter(place: Place, filter: Expression): Bound {
  return expectCondition(place, place.binder.bind(place, filter));
}

/** What DuckDB computes of a constant NULL while it plans has a type of its own. */
function typed({ sql, type }: Lowered): string {
  return type.kind === "void" ? sql : castTo(sql, type);
}

function finish(use: Use, fn: SparkFunction, others: readonly Bound[]): { bound: Bound; frame: string | undefined } {
  const lowered = fn.bind(use);
  const { call, args } = use;
  const own =
    "name" in lowered ? lowered.name : callName(call.name.toLowerCase(), args, call.distinct ? "DISTINCT " : "");
  const deciding = others.map((other) => ({ ...other, origins: asInfluence(other.origins) }));
  const bound = derive([...args, ...deciding], {
    sql: fn.kind === "scalar" && args.some(mayBeConstantNull) ? typed(lowered) : lowered.sql,
    type: lowered.type,
    nullable: lowered.nullable,
    name: own,
    at: call.at,
    throws: lowered.throws === true,
    volatile: lowered.volatile === true,
    ...(lowered.origins === undefined ? {} : { origins: lowered.origins }),
  });
  return { bound, frame: lowered.frame };
}
