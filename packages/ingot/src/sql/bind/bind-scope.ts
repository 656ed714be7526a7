import type { DataType, Field, StructType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import { nearest } from "../../model/nearest.js";
import type { Locate } from "../locate.js";
import { quoteText } from "../lower/lower-text.js";
import { type Bound, derive } from "./bound.js";
import type { Origins } from "./origins.js";

/** A column that a query can name at some place. */
export interface ScopeColumn {
  readonly name: string;
  /** DuckDB's text of it. */
  readonly sql: string;
  readonly type: DataType;
  readonly nullable: boolean;
  readonly origins: Origins;
  /** Parts of the relation's name, or its alias. */
  readonly qualifier: readonly string[];
  /** Not in `*`: the sides of a USING key, `_metadata`. Found by name all the same where `byName` is not false. */
  readonly hidden?: boolean;
  /** False: only `qualifier.name` finds it, as with the sides of a USING key. */
  readonly byName?: boolean;
  /** False: `qualifier.*` does not name it. */
  readonly inStar?: boolean;
}

/** A column as an expression; `isLoose`: it is one of the query's own rows, and of no group. */
export function columnBound(column: ScopeColumn, at: number, isLoose: boolean): Bound {
  const { sql, type, nullable, name, origins } = column;
  return { ...derive([], { sql, type, nullable, name, at, origins }), loose: isLoose ? [{ name, at }] : [] };
}

/** What names mean at one place: the columns of FROM, then the aliases of the select list, then the query around. */
export interface Scope {
  readonly columns: readonly ScopeColumn[];
  readonly aliases: ReadonlyMap<string, Bound | "ambiguous">;
  readonly outer?: Scope;
  /** Parameters of the lambdas around, the innermost first; they come before all else. */
  readonly variables?: readonly ScopeColumn[];
  /** Called when a name was found in the query around: the subquery is correlated. */
  readonly onOuter?: (column: ScopeColumn, at: number) => void;
}

export interface Resolved {
  readonly column: ScopeColumn;
  /** Parts of the path that are fields within the column. */
  readonly fields: readonly string[];
  readonly isOuter: boolean;
}

/**
 * Spark's rule for `a.b.c`: a qualified column first (the longest qualifier first), else a column whose fields the rest
 * names; then the query around. Undefined when no column fits.
 */
export function resolvePath(
  scope: Scope,
  path: readonly string[],
  at: number,
  fail: (columns: number) => IngotError,
): Resolved | undefined {
  const { columns, fields } = ownColumns(scope, path);
  const [column, second] = columns;
  if (second !== undefined) throw fail(columns.length);
  if (column !== undefined) return { column, fields, isOuter: false };
  if (scope.outer === undefined) return undefined;
  const resolved = resolvePath(scope.outer, path, at, fail);
  if (resolved === undefined) return undefined;
  scope.onOuter?.(resolved.column, at);
  return { ...resolved, isOuter: true };
}

/** Whether a path names a column of the scope itself, or several. */
export function namesColumn(scope: Scope, path: readonly string[]): boolean {
  return ownColumns(scope, path).columns.length > 0;
}

function ownColumns(scope: Scope, path: readonly string[]): Pick<Resolved, "fields"> & { columns: ScopeColumn[] } {
  for (let length = Math.min(3, path.length - 1); length >= 0; length--) {
    const name = path[length] ?? "";
    const columns = scope.columns.filter(
      (c) => same(c.name, name) && (length > 0 ? endsWith(c.qualifier, path.slice(0, length)) : c.byName !== false),
    );
    if (columns.length > 0) return { columns, fields: path.slice(length + 1) };
  }
  return { columns: [], fields: [] };
}

/** The columns that `*` or `qualifier.*` names, in order. */
export function starColumns(scope: Scope, qualifier: readonly string[]): readonly ScopeColumn[] {
  if (qualifier.length === 0) return scope.columns.filter((c) => c.hidden !== true);
  // Of the sides of a USING key, `t.*` has its own.
  const own = scope.columns.filter((c) => endsWith(c.qualifier, qualifier));
  return own.filter((c) => c.hidden !== true || (c.byName === false && c.inStar !== false));
}

/** A field of a struct, by its name without case. */
export function fieldOf(type: StructType, name: string): Field | undefined {
  return type.fields.find((f) => same(f.name, name));
}

export function extractField(sql: string, field: Field): string {
  return `struct_extract(${sql}, ${quoteText(field.name)})`;
}

export function unresolvedColumn(scope: Scope, path: readonly string[], at: number, locate: Locate): IngotError {
  const word = path.join(".");
  const names = new Set([...visibleNames(scope)]);
  const near = nearest(path.at(-1) ?? word, names);
  const known = [...names].slice(0, 8).join(", ");
  return new IngotError(
    names.size === 0 ? "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION" : "UNRESOLVED_COLUMN.WITH_SUGGESTION",
    `There is no column ${word} here`,
    {
      at: locate(at),
      object: word,
      hint:
        near !== undefined
          ? `Did you mean ${near}?`
          : names.size === 0
            ? "The query reads nothing: put a text in quotes."
            : `The columns are ${known}${names.size > 8 ? ", …" : ""}.`,
    },
  );
}

function* visibleNames(scope: Scope): Iterable<string> {
  for (const column of scope.columns) if (column.hidden !== true) yield column.name;
  for (const alias of scope.aliases.keys()) yield alias;
  if (scope.outer !== undefined) yield* visibleNames(scope.outer);
}

export function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function endsWith(qualifier: readonly string[], parts: readonly string[]): boolean {
  const start = qualifier.length - parts.length;
  return start >= 0 && parts.every((part, i) => same(part, qualifier[start + i] ?? ""));
}
