import type { Field } from "../../packages/ingot/src/model/data-type.js";
import { sqlText } from "../../packages/ingot/src/model/position.js";
import type { CompiledQuery } from "../../packages/ingot/src/model/query.js";
import { compileParsed } from "../../packages/ingot/src/sql/compile.js";
import { parseQuery } from "../../packages/ingot/src/sql/parse/parse-query.js";

/** Columns of tables, by lower-case name. */
export type Tables = ReadonlyMap<string, readonly Field[]>;

/** @throws IngotError where the query is refused */
export function translate(sql: string, tables: Tables): CompiledQuery {
  const parsed = parseQuery(sqlText(sql));
  const schemas = new Map<string, readonly Field[]>();
  for (const relation of parsed.relations) {
    const fields = relation.kind === "table" ? tables.get(relation.name.join(".").toLowerCase()) : undefined;
    if (fields !== undefined) schemas.set(relation.id, fields);
  }
  return compileParsed(parsed, schemas);
}
