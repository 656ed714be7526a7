import type { SparkFunction, Use } from "../functions/function.js";
import { isSparkFunction, nearestFunction, REGISTRY } from "../functions/registry.js";
import type { Call, Expression } from "../parse/ast.js";
import { expectBoolean, fail, type Place } from "./bind-place.js";
import { bindWindow } from "./bind-window.js";
import { type Bound, callName, derive } from "./bound.js";

export function bindCall(place: Place, call: Call): Bound {
  const fn = REGISTRY.get(call.name.toLowerCase());
  if (fn === undefined) throw unknownFunction(place, call);
  checkForm(place, call, fn);
  return fn.kind === "scalar" ? bindScalar(place, call, fn) : bindAggregate(place, call, fn);
}

function unknownFunction(place: Place, call: Call) {
  const { name } = call;
  if (isSparkFunction(name))
    return fail(
      place,
      call.at,
      "UNSUPPORTED_FUNCTION",
      `The function ${name} is not supported yet`,
      "Express it with other functions.",
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
  if (call.star && call.name.toLowerCase() !== "count")
    throw refuse(`${call.name}(*) is not supported`, "Name the columns.");
  if (call.star && call.distinct) throw refuse("count(DISTINCT *) is not supported", "Name the columns.");
  if (call.distinct && fn.distinct !== true)
    throw refuse(`${call.name}(DISTINCT …) is not supported`, "Leave DISTINCT out.");
  if (call.args.some((a) => a.name !== undefined) && call.name.toLowerCase() !== "struct")
    throw refuse(`${call.name} takes no names for its arguments`, "Leave AS out.");
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
  return finish({ place, call, args, window: (sql) => sql }, fn, []);
}

function bindAll(place: Place, call: Call): Bound[] {
  return call.args.map(({ expression }) => place.binder.bind(place, expression));
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
    // Within an aggregate function a name means the input's column.
    aliasesFirst: windowed && place.aliasesFirst,
  };
  const args = bindAll(inner, call);
  const condition = call.filter === undefined ? undefined : bindFilter(inner, call.filter);
  const filter = condition === undefined ? "" : ` FILTER (WHERE ${condition.sql})`;
  const over = call.over === undefined ? undefined : bindWindow(inner, call.over, call.name, fn.ordered === true);
  const use: Use = {
    place,
    call,
    args,
    window: (sql) => `${sql}${filter}${over === undefined ? "" : ` OVER (${over.sql})`}`,
  };
  const bound = finish(use, fn, [...(condition === undefined ? [] : [condition]), ...(over?.parts ?? [])]);
  if (windowed) return { ...bound, name: undefined, window: true };
  const name = condition === undefined ? bound.name : filterName(bound, condition);
  return { ...bound, name, aggregate: true, loose: [] };
}

function filterName(bound: Bound, condition: Bound): string | undefined {
  if (bound.name === undefined || condition.name === undefined) return undefined;
  return `${bound.name} FILTER (WHERE ${condition.name})`;
}

function bindFilter(place: Place, filter: Expression): Bound {
  return expectBoolean(place, place.binder.bind(place, filter));
}

function finish(use: Use, fn: SparkFunction, others: readonly Bound[]): Bound {
  const lowered = fn.bind(use);
  const { call, args } = use;
  const own =
    "name" in lowered ? lowered.name : callName(call.name.toLowerCase(), args, call.distinct ? "DISTINCT " : "");
  return derive([...args, ...others], {
    sql: lowered.sql,
    type: lowered.type,
    nullable: lowered.nullable,
    name: call.unnamed === true ? undefined : own,
    at: call.at,
    throws: lowered.throws === true,
    volatile: lowered.volatile === true,
  });
}
