import type { BoundLambda, LambdaParameter, Use } from "../functions/function.js";
import { quoteName } from "../lower/lower-text.js";
import type { Lambda } from "../parse/ast.js";
import { fail, type Place } from "./bind-place.js";
import type { ScopeColumn } from "./bind-scope.js";
import type { Bound } from "./bound.js";
import { NO_ORIGINS, trueAmountOrigins } from "./origins.js";

/** What stands for a lambda until its function binds it. */
export function unboundLambda({ at }: Lambda): Bound {
  return {
    sql: "NULL",
    type: { kind: "void" },
    nullable: true,
    name: undefined,
    at,
    throws: false,
    volatile: false,
    loose: [],
    aggregate: false,
    window: false,
    origins: NO_ORIGINS,
  };
}

/** How Spark writes a parameter of a lambda. */
export const VARIABLE = "namedlambdavariable()";

/**
 * The lambda at a place among the arguments, for parameters of these types; it may take fewer than are given, as many as
 * `least`. Its body becomes the argument, so that names and columns in it count as the call's.
 *
 * @throws IngotError for a wrong number of parameters
 */
export function bindLambda(
  use: Use,
  index: number,
  parameters: readonly LambdaParameter[],
  least = parameters.length,
): BoundLambda {
  const lambda = use.call.args[index]?.expression;
  if (lambda?.kind !== "lambda") throw new Error(`${use.call.name} has no lambda as argument ${index + 1}`);
  const { length } = lambda.parameters;
  if (length < least || length > parameters.length)
    throw fail(
      use.place,
      lambda.at,
      "INVALID_LAMBDA_FUNCTION_CALL",
      `The lambda of ${use.call.name} takes ${parameters.length} parameters, this has ${length}`,
      "Check its parameters.",
      use.call.name,
    );
  const names = lambda.parameters.map(() => use.place.binder.newName("l"));
  // Lineage knows the values that a lambda sees as its call's other arguments.
  const holdsTrueAmount = use.args.some(({ origins }) => origins.trueAmount === true);
  const origins = holdsTrueAmount ? trueAmountOrigins(NO_ORIGINS) : NO_ORIGINS;
  const variables = lambda.parameters.map(({ name }, i): ScopeColumn => {
    const { type, nullable, sql = (text: string) => text } = parameters[i] as LambdaParameter;
    return { name, sql: sql(quoteName(names[i] ?? "")), type, nullable, qualifier: [], origins };
  });
  const { scope } = use.place;
  const place: Place = {
    ...use.place,
    scope: { ...scope, variables: [...variables, ...(scope.variables ?? [])] },
    clause: "a lambda",
    aggregates: false,
    windows: false,
    filter: false,
  };
  const body = use.place.binder.bind(place, lambda.body);
  const name = body.name === undefined ? undefined : lambdaName(body.name, length);
  (use.args as Bound[])[index] = { ...body, name, nullable: true };
  return { sql: `lambda ${names.map(quoteName).join(", ")}: ${body.sql}`, body };
}

function lambdaName(body: string, parameters: number): string {
  return `lambdafunction(${[body, ...Array.from({ length: parameters }, () => VARIABLE)].join(", ")})`;
}

/** A parameter of a lambda around, by the name that begins a path. */
export function variableNamed({ scope }: Place, name: string): ScopeColumn | undefined {
  return scope.variables?.find((v) => v.name.toLowerCase() === name.toLowerCase());
}
