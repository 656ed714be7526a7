import type { DataType } from "../../model/data-type.js";
import { coerce, describe, fail, type Place } from "../bind/bind-place.js";
import { anyNullable, type Bound, joinNames } from "../bind/bound.js";
import type { Origins } from "../bind/origins.js";
import { acceptsImplicitly } from "../bind/type-rules.js";
import type { Call, Literal, Window } from "../parse/ast.js";

/** One use of a function in a query, its arguments bound. */
export interface Use {
  readonly place: Place;
  readonly call: Call;
  readonly args: readonly Bound[];
  /** The window of OVER, found by its name where it has one. */
  readonly over?: Window;
  /** Adds FILTER and OVER to the text of an aggregate or window function. */
  readonly window: (sql: string) => string;
}

/** A parameter of a lambda: its type, and DuckDB's text of it where that is more than its name. */
export interface LambdaParameter {
  readonly type: DataType;
  readonly nullable: boolean;
  readonly sql?: (name: string) => string;
}

/** DuckDB's text `lambda x, y: body`, and the body's type. */
export interface BoundLambda {
  readonly sql: string;
  readonly body: Bound;
}

/** What a use becomes. */
export interface Lowered {
  readonly sql: string;
  readonly type: DataType;
  readonly nullable: boolean;
  readonly throws?: boolean;
  readonly volatile?: boolean;
  /** Spark's name of the expression, where it is not `function(arguments)`; undefined where it is not known. */
  readonly name?: string | undefined;
  /** Where its values come from, where that is more than from all of the arguments. */
  readonly origins?: Origins;
  /** The frame that Spark shows where OVER has none. */
  readonly frame?: string;
}

/** A function of Spark that has a translation: how many arguments it takes, its result's type and its text. */
export interface SparkFunction {
  readonly kind: "scalar" | "aggregate" | "window";
  readonly arity: readonly [least: number, most: number];
  /** Whether `f(DISTINCT x)` is known. */
  readonly distinct?: boolean;
  /** Whether the result depends on the order of rows that the window's keys leave open. */
  readonly ordered?: boolean;
  /** Whether it takes WITHIN GROUP (ORDER BY …). */
  readonly within?: boolean;
  /** Whether it takes IGNORE NULLS. */
  readonly ignoresNulls?: boolean;
  /** Places of the arguments that are lambdas, for `bindLambda` to bind. */
  readonly lambdas?: readonly number[];
  /** Names of the parameters for `name => value`, each with what Spark takes where it is left out. */
  readonly parameters?: readonly (readonly [name: string, otherwise?: Literal])[];
  readonly bind: (use: Use) => Lowered;
}

export type Functions = Readonly<Record<string, SparkFunction>>;

export function scalar(least: number, most: number, bind: (use: Use) => Lowered): SparkFunction {
  return { kind: "scalar", arity: [least, most], bind };
}

export function aggregate(
  arity: readonly [least: number, most: number],
  bind: (use: Use) => Lowered,
  more: Partial<SparkFunction> = {},
): SparkFunction {
  return { kind: "aggregate", arity, bind, ...more };
}

/** An argument that the arity promises. */
export function arg(use: Use, index: number): Bound {
  const bound = use.args[index];
  if (bound === undefined) throw new Error(`${use.call.name} has no argument ${index + 1}`);
  return bound;
}

/**
 * An argument of this type, by Spark's implicit cast where it is of another that the cast takes; or as it is, where
 * `accepts` its type. @throws IngotError DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE
 */
export function argOf(
  use: Use,
  index: number,
  wanted: DataType,
  accepts: (type: DataType) => boolean = () => false,
): Bound {
  const bound = arg(use, index);
  if (accepts(bound.type)) return bound;
  if (acceptsImplicitly(bound.type, wanted)) return coerce(use.place, bound, wanted);
  throw mismatch(use, bound, describe(wanted));
}

interface Simple {
  /** How many arguments there are at least; all by default. */
  readonly least?: number;
  /** Names of the arguments left out, which Spark shows. */
  readonly defaults?: readonly string[];
  readonly nullable?: true;
  readonly throws?: true;
  readonly volatile?: true;
}

/** A function over arguments of fixed types, each taken by the implicit cast, whose result is of one type. */
export function simple<const T extends readonly DataType[]>(
  takes: T,
  gives: DataType,
  lower: (...args: { readonly [I in keyof T]: string }) => string,
  { least = takes.length, defaults = [], nullable, throws, volatile }: Simple = {},
): SparkFunction {
  return scalar(least, takes.length, (use) => {
    const args = takes.slice(0, use.args.length).map((type, i) => argOf(use, i, type));
    const texts = args.map((a) => a.sql) as { [I in keyof T]: string };
    const shown = defaults.slice(use.args.length - least);
    return {
      sql: lower(...texts),
      type: gives,
      nullable: nullable === true || anyNullable(args),
      throws: throws === true || args.some((a) => a.throws),
      volatile: volatile === true,
      ...(shown.length === 0 ? {} : { name: nameWithDefault(use, shown.join(", ")) }),
    };
  });
}

export function mismatch(use: Use, bound: Bound, wanted: string) {
  return fail(
    use.place,
    bound.at,
    "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
    `${use.call.name} takes ${wanted} here, this is ${describe(bound.type)}`,
    "Cast the argument.",
    use.call.name,
  );
}

/** A whole number that stands in the text. */
export function constantOf(use: Use, index: number): number | undefined {
  const { literal } = arg(use, index);
  return literal?.type === "number" && /^-?\d{1,9}$/.test(literal.value) ? Number(literal.value) : undefined;
}

/** A string that stands in the text. */
export function textOf(use: Use, index: number): string | undefined {
  const { literal } = arg(use, index);
  return literal?.type === "string" ? literal.value : undefined;
}

/** Spark's name of a call whose last argument is left out shows the default. */
export function nameWithDefault({ call, args }: Use, value: string): string | undefined {
  return joinNames(args, (names) => `${call.name.toLowerCase()}(${[...names, value].join(", ")})`);
}

/** Refuses one form of a function that is otherwise known. */
export function unsupportedForm(use: Use, what: string, hint: string, at = use.call.at) {
  return fail(use.place, at, "UNSUPPORTED_FUNCTION", `${what} is not supported yet`, hint, use.call.name);
}
