import { IngotError } from "../model/error.js";
import { quoteIdentifier } from "../model/name.js";
import { advance, type Position } from "../model/position.js";
import type { Scope } from "./scope.js";
import { isBadValue, writeValue } from "./sql-value.js";
import type { Sql, SqlTag, SqlValue } from "./types.js";
import { makeSql, type Part, partsOfSql } from "./values.js";

/** The `sql` template tag and its helpers. */
export function createSqlTag(scope: Scope): SqlTag {
  const refuse = (message: string, hint: string, at: Position): Sql => {
    scope.report(new IngotError("BAD_SQL_VALUE", message, { at, hint }));
    return makeSql([{ text: "NULL" }]);
  };

  /** Adds a value to a text; `use` is where an error about it points. */
  const splice = (parts: Part[], value: unknown, use: () => Position, at?: Position): void => {
    const written = writeValue(value);
    if (isBadValue(written)) {
      const { code, message, hint } = written;
      scope.report(new IngotError(code, message, { at: use(), hint }));
      return;
    }
    const [first] = written;
    // Two minus signs would begin a comment.
    if (first?.text.startsWith("-") && parts.at(-1)?.text.endsWith("-")) parts.push({ text: " " });
    for (const part of written) parts.push(at === undefined || part.at !== undefined ? part : { ...part, at });
  };

  const sql = (strings: TemplateStringsArray, ...values: SqlValue[]): Sql => {
    if (!Array.isArray(strings) || strings.raw === undefined) {
      const hint = "Write sql`SELECT …`; for text that is made elsewhere, sql.raw(text).";
      return refuse("sql is a template tag, not a function", hint, scope.places.callSite(sql));
    }
    const places = scope.places.template(strings, sql);
    const parts: Part[] = [];
    for (const [i, chunk] of strings.raw.entries()) {
      parts.push(...readChunk(chunk, places.chunks[i]));
      const at = places.values[i];
      if (at !== undefined) splice(parts, values[i], () => at, at);
    }
    return makeSql(parts);
  };

  const id = (...names: string[]): Sql => {
    if (names.length > 0 && names.every((name) => typeof name === "string" && name !== "")) {
      return makeSql([{ text: names.map(quoteIdentifier).join(".") }]);
    }
    return refuse("sql.id takes one or more names", 'Example: sql.id("schema", "table").', scope.places.callSite(id));
  };

  const join = (values: readonly SqlValue[], separator?: Sql): Sql => {
    const between = separator === undefined ? [{ text: ", " }] : partsOfSql(separator);
    if (!Array.isArray(values) || between === undefined) {
      const hint = "Example: sql.join(conditions, sql` AND `).";
      return refuse("sql.join takes a list and a sql piece", hint, scope.places.callSite(join));
    }
    const parts: Part[] = [];
    for (const [i, value] of values.entries()) {
      if (i > 0) parts.push(...between);
      splice(parts, value, () => scope.places.callSite(join));
    }
    return makeSql(parts);
  };

  const raw = (text: string): Sql => {
    if (typeof text === "string") return makeSql([{ text }]);
    return refuse("sql.raw takes a text", "Pass a string.", scope.places.callSite(raw));
  };

  return Object.freeze(Object.assign(sql, { id, join, raw }));
}

/**
 * The text of a template between two values, as in a `.sql` file: a backslash stays, but for the two things that a
 * template cannot hold without one. Each stretch knows its place, so an escape shifts no column.
 */
function readChunk(raw: string, at: Position | undefined): Part[] {
  const parts: Part[] = [];
  let start = 0;
  for (const { index } of raw.matchAll(/\\(?=`|\$\{)/g)) {
    parts.push(partAt(raw, start, index, at));
    start = index + 1;
  }
  parts.push(partAt(raw, start, raw.length, at));
  return parts;
}

function partAt(raw: string, start: number, end: number, at: Position | undefined): Part {
  const text = raw.slice(start, end);
  return at === undefined ? { text } : { text, at: advance(raw, 0, start, at) };
}
