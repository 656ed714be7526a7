import type { DataType, Field } from "../model/data-type.js";
import { type SqlText, sqlText } from "../model/position.js";
import type { Sources } from "../sap/conventions.js";
import { bindExpression } from "./bind/bind-expression.js";
import { type Binder, fail, type Place } from "./bind/bind-place.js";
import { NO_ORIGINS } from "./bind/origins.js";
import { makeLocate } from "./locate.js";
import { quoteName } from "./lower/lower-text.js";
import { parseAlone } from "./parse/parse-alone.js";
import { sparkExpression } from "./spark-text.js";

/** An expression over the columns of one row, typed and lowered. */
export interface CompiledExpression {
  /** DuckDB's text, in which a column stands under its own quoted name. */
  readonly duckdb: string;
  /** Spark's: as written, with Ingot's own functions in Spark's words. */
  readonly spark: string;
  readonly type: DataType;
  /** The same row gives the same value: no clock, no random number. */
  readonly deterministic: boolean;
}

/**
 * Types one expression of Spark SQL over some columns and lowers it to DuckDB. Subqueries, aggregates and window
 * functions do not belong to one row and are refused.
 *
 * @param text with its place in the user's file, or bare
 * @param name what the expression is, for messages
 * @throws IngotError as `compileParsed`, and PARSE_SYNTAX_ERROR
 */
export function compileExpression(
  text: string | SqlText,
  columns: readonly Field[],
  name: string,
  sources: Sources = new Map(),
): CompiledExpression {
  const sql = typeof text === "string" ? sqlText(text, name) : text;
  const expression = parseAlone(sql);
  let names = 0;
  const binder: Binder = {
    sql,
    sources,
    expansions: new Map(),
    locate: makeLocate(sql),
    newName: (prefix) => `${prefix}${names++}`,
    bind: bindExpression,
    bindSubquery: () => {
      throw new Error("unreachable: subqueries are not parsed");
    },
  };
  const place: Place = {
    binder,
    scope: {
      columns: columns.map((field) => ({ ...field, sql: quoteName(field.name), qualifier: [], origins: NO_ORIGINS })),
      aliases: new Map(),
    },
    clause: name,
    aggregates: false,
    windows: false,
    grouping: new Set(),
    aliasesFirst: false,
    filter: false,
  };
  const bound = bindExpression(place, expression);
  if (bound.aggregate || bound.window)
    throw fail(place, bound.at, "UNSUPPORTED_CLAUSE", `${name} is not of one row`, "Leave the aggregate function out.");
  return {
    duckdb: bound.sql,
    spark: sparkExpression(sql, binder.expansions),
    type: bound.type,
    deterministic: !bound.volatile,
  };
}
