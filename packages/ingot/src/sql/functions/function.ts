import type { DataType } from "../../model/data-type.js";
import { coerce, describe, fail, type Place } from "../bind/bind-place.js";
import { type Bound, joinNames } from "../bind/bound.js";
import type { Call } from "../parse/ast.js";

/** One use of a function in a query, its arguments bound. */
export interface Use {
  readonly place: Place;
  readonly call: Call;
  readonly args: readonly Bound[];
  /** Adds FILTER and OVER to the text of an aggregate or window function. */
  readonly window: (sql: string) => string;
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
}

/** A function of Spark that has a translation: how many arguments it takes, its result's type and its text. */
export interface SparkFunction {
  readonly kind: "scalar" | "aggregate" | "window";
  readonly arity: readonly [least: number, most: number];
  /** Whether `f(DISTINCT x)` is known. */
  readonly distinct?: boolean;
  /** Whether the result depends on the order of rows that the window's keys leave open. */
  readonly ordered?: boolean;
  readonly bind: (use: Use) => Lowered;
}

export type Functions = Readonly<Record<string, SparkFunction>>;

export function scalar(least: number, most: number, bind: (use: Use) => Lowered): SparkFunction {
  return { kind: "scalar", arity: [least, most], bind };
}

/** An argument that the arity promises. */
export function arg(use: Use, index: number): Bound {
  const bound = use.args[index];
  if (bound === undefined) throw new Error(`${use.call.name} has no argument ${index + 1}`);
  return bound;
}

/** An argument of one of these types (NULL is of all). @throws IngotError DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE */
export function argOf(
  use: Use,
  index: number,
  wanted: DataType,
  accepts: (type: DataType) => boolean = () => false,
): Bound {
  const bound = arg(use, index);
  if (accepts(bound.type)) return bound;
  if (bound.type.kind === "void" || bound.type.kind === wanted.kind) return coerce(use.place, bound, wanted);
  throw mismatch(use, bound, describe(wanted));
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
