import { type DataType, formatType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import type { ErrorCode } from "../../model/error-catalogue.js";
import type { SqlText } from "../../model/position.js";
import type { Sources } from "../../sap/conventions.js";
import type { Locate } from "../locate.js";
import { lowerCast } from "../lower/lower-cast.js";
import { castTo } from "../lower/lower-text.js";
import type { LoweredCast } from "../lower/lowered-cast.js";
import type { Expression, Query, Window } from "../parse/ast.js";
import { castPlainText } from "./bind-literal.js";
import { type Resolved, resolvePath, type Scope, unresolvedColumn } from "./bind-scope.js";
import type { Bound, BoundField } from "./bound.js";
import type { Origins } from "./origins.js";

/** A subquery of an expression, bound. */
export interface BoundSubquery {
  readonly sql: string;
  readonly columns: readonly BoundField[];
  readonly influences: Origins;
  readonly volatile: boolean;
  /** What it takes from the query around it. */
  readonly outer: readonly OuterColumn[];
  /** Whether it gives exactly one row: an aggregate without GROUP BY. */
  readonly single: boolean;
}

/** A column of the query around a subquery, and where the subquery names it. */
export interface OuterColumn {
  readonly name: string;
  readonly at: number;
}

/** A call that Spark does not know, in Spark SQL. */
export interface Expansion {
  /** The values stand in it as `sap_value_0`, `sap_value_1`, …. */
  readonly text: string;
  readonly values: readonly ExpansionValue[];
}

export interface ExpansionValue {
  /** Offset of an argument. */
  readonly at: number;
  /** What it is cast to before. */
  readonly type?: DataType;
}

/** What stays the same for all places of one query. */
export interface Binder {
  readonly sql: SqlText;
  /** How the project's SAP systems write values, for `sap_…` functions. */
  readonly sources: Sources;
  readonly locate: Locate;
  readonly bindSubquery: (query: Query, outer: Scope) => BoundSubquery;
  /** Expressions, functions and windows hold each other: all come back through here. */
  readonly bind: (place: Place, expression: Expression) => Bound;
  /** What calls of Ingot's own functions are in Spark SQL, by the offset of the call. */
  readonly expansions: Map<number, Expansion>;
  /** A name for a relation that no other has. */
  readonly newName: (prefix: string) => string;
}

/** Where an expression stands, and what that allows. */
export interface Place {
  readonly binder: Binder;
  readonly scope: Scope;
  /** For messages: `WHERE`, `the select list`. */
  readonly clause: string;
  readonly aggregates: boolean;
  readonly windows: boolean;
  /** Texts of the grouping expressions. */
  readonly grouping: ReadonlySet<string>;
  /** Whether the select list's names come before the input's (HAVING, ORDER BY). */
  readonly aliasesFirst: boolean;
  /** Whether the groups are those of ROLLUP, CUBE or GROUPING SETS, so that a grouping expression may be NULL. */
  readonly groupingSets?: boolean;
  /** The WINDOW clause, by name. */
  readonly namedWindows?: ReadonlyMap<string, Window>;
  /** Is told the texts of PARTITION BY of each window. */
  readonly onWindow?: (partition: readonly string[]) => void;
  /**
   * Whether NULL is as good as false: for a "condition" of a filter, or a part of one. DuckDB stops by itself at the first
   * condition that fails; within one, and in projections, it computes all parts.
   */
  readonly filter: false | "condition" | "part";
}

export function fail(
  place: Pick<Place, "binder">,
  at: number,
  code: ErrorCode,
  message: string,
  hint: string,
  object?: string,
): IngotError {
  return new IngotError(code, message, {
    at: place.binder.locate(at),
    hint,
    ...(object === undefined ? {} : { object }),
  });
}

export function unsupported(place: Pick<Place, "binder">, at: number, what: string, hint: string): IngotError {
  return fail(place, at, "UNSUPPORTED_CLAUSE", `${what} is not supported yet`, hint);
}

export function describe(type: DataType): string {
  return formatType(type).toUpperCase();
}

/** The column of a path. @throws IngotError UNRESOLVED_COLUMN.…, AMBIGUOUS_REFERENCE */
export function resolveColumn(place: Place, path: readonly string[], at: number): Resolved {
  const name = path.join(".");
  const ambiguous = (count: number) =>
    fail(
      place,
      at,
      "AMBIGUOUS_REFERENCE",
      `${count} columns are called ${name}`,
      "Put the table's name or alias before it.",
      name,
    );
  const resolved = resolvePath(place.scope, path, at, ambiguous);
  if (resolved === undefined) throw unresolvedColumn(place.scope, path, at, place.binder.locate);
  return resolved;
}

/** `lowerCast` of an expression. */
export function castBound(bound: Bound, type: DataType, lenient: boolean): LoweredCast | undefined {
  // What raises an error has no value, and raises it under any type.
  if (bound.type.kind === "void" && bound.throws && type.kind !== "void")
    return { sql: castTo(bound.sql, type), throws: true };
  const plain = castPlainText(bound, type);
  return plain === undefined ? lowerCast(bound.sql, bound.type, type, lenient) : { sql: plain, throws: false };
}

/** The implicit cast that Spark adds. It has no part in the expression's name. */
export function coerce(place: Place, bound: Bound, type: DataType): Bound {
  if (bound.type.kind === "void" && type.kind !== "void" && !bound.throws)
    return { ...bound, sql: castTo("NULL", type), type };
  const cast = castBound(bound, type, false);
  if (cast === undefined)
    throw unsupported(
      place,
      bound.at,
      `Reading ${describe(bound.type)} as ${describe(type)}`,
      "Bring both sides to one type with CAST.",
    );
  return { ...bound, sql: cast.sql, type, throws: bound.throws || cast.throws };
}

/** A condition: BOOLEAN, or NULL. @throws IngotError DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE */
export function expectBoolean(place: Place, bound: Bound): Bound {
  if (bound.type.kind === "boolean") return bound;
  if (bound.type.kind === "void") return coerce(place, bound, { kind: "boolean" });
  throw fail(
    place,
    bound.at,
    "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
    `A condition is BOOLEAN, this is ${describe(bound.type)}`,
    "Compare it with something.",
  );
}

/** A condition where Spark does not read a bare NULL as one: WHERE, ON, FILTER, CASE WHEN. @throws as `expectBoolean` */
export function expectCondition(place: Place, bound: Bound): Bound {
  if (bound.type.kind !== "void") return expectBoolean(place, bound);
  throw fail(
    place,
    bound.at,
    "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
    "A condition is BOOLEAN, this is NULL",
    "Write false, or CAST(NULL AS BOOLEAN).",
  );
}

export function noCommonType(place: Place, at: number, what: string, types: readonly DataType[]): IngotError {
  return fail(
    place,
    at,
    "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES",
    `${what} takes values of one type, these are ${[...new Set(types.map(describe))].join(" and ")}`,
    "Bring them to one type with CAST.",
  );
}
