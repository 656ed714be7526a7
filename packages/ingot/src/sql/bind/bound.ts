import type { DataType, Field } from "../../model/data-type.js";
import type { Literal } from "../parse/ast.js";
import { combineOrigins, type Origins } from "./origins.js";

/** An expression with its names resolved and its type known, and DuckDB's text of it. */
export interface Bound {
  /** DuckDB's text, safe as an operand of anything. Equal texts in one scope are equal expressions. */
  readonly sql: string;
  readonly type: DataType;
  readonly nullable: boolean;
  /** How Spark writes the expression; undefined where that is not known for sure, so that a column needs an alias. */
  readonly name: string | undefined;
  /** Name of a column made of this alone, where it is another: `st.a` makes a column `a`. */
  readonly columnName?: string;
  readonly at: number;
  /** Whether a row's values can make it fail. */
  readonly throws: boolean;
  /** Whether it reads a clock or draws random numbers. */
  readonly volatile: boolean;
  /** Columns that stand neither in an aggregate function nor in a grouping expression. */
  readonly loose: readonly LooseColumn[];
  readonly aggregate: boolean;
  readonly window: boolean;
  /** The columns that its values come from. */
  readonly origins: Origins;
  readonly literal?: Literal;
  /** Whether DuckDB may compute it before the query runs: it reads nothing, or a part is NULL whatever it reads. */
  readonly constant?: boolean;
  /** A product of decimals as 64 bits hold it, if they do (`lower/narrow-product.ts`); `of` is its `sql`. */
  readonly narrow?: { readonly of: string; readonly sql: string };
  /** Whether it is known to be NULL or another number than 0. */
  readonly nonZero?: boolean;
}

/** A column of a result. */
export interface BoundField extends Field {
  readonly origins: Origins;
}

/** A column of a select list. */
export interface OutputColumn {
  readonly name: string;
  readonly bound: Bound;
}

export interface LooseColumn {
  /** Undefined for what a subquery takes from the query around it. */
  readonly name: string | undefined;
  readonly at: number;
}

/** What an expression says of itself; the rest follows from its parts. */
export interface OwnPart {
  readonly sql: string;
  readonly type: DataType;
  readonly nullable: boolean;
  readonly name: string | undefined;
  readonly at: number;
  readonly throws?: boolean;
  readonly volatile?: boolean;
  readonly origins?: Origins;
}

export function derive(children: readonly Bound[], own: OwnPart): Bound {
  return {
    ...own,
    throws: own.throws === true || children.some((c) => c.throws),
    volatile: own.volatile === true || children.some((c) => c.volatile),
    loose: children.flatMap((c) => c.loose),
    aggregate: children.some((c) => c.aggregate),
    window: children.some((c) => c.window),
    constant: children.some(mayBeConstantNull) || (children.length > 0 && children.every((c) => c.constant === true)),
    origins: own.origins ?? combineOrigins(children, own.type),
  };
}

export function anyNullable(children: readonly Bound[]): boolean {
  return children.some((c) => c.nullable);
}

/** `name(a, b)`, where the names of all parts are known; `defaults` are shown for arguments left out. */
export function callName(
  name: string,
  children: readonly Bound[],
  prefix = "",
  defaults: readonly string[] = [],
): string | undefined {
  return joinNames(children, (names) => `${name}(${prefix}${[...names, ...defaults].join(", ")})`);
}

export function joinNames(children: readonly Bound[], join: (names: readonly string[]) => string): string | undefined {
  const names: string[] = [];
  for (const { name } of children) {
    if (name === undefined) return undefined;
    names.push(name);
  }
  return join(names);
}

/** Whether it may be a constant NULL, to whose operations DuckDB gives types of its own. */
export function mayBeConstantNull({ constant, literal }: Bound): boolean {
  return constant === true && (literal === undefined || literal.type === "null");
}
