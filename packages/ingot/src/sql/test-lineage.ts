import type { Field } from "../model/data-type.js";
import type { ColumnSource, SourceColumn } from "../model/lineage.js";
import { sqlText } from "../model/position.js";
import type { CompiledQuery } from "../model/query.js";
import { compileParsed } from "./compile.js";
import { parseSchema } from "./ddl-types.js";
import { parseQuery } from "./parse/parse-query.js";

// For tests of lineage: three tables of SAP, and where the columns of a query over them come from, as text.

export const TABLES: Readonly<Record<string, readonly Field[]>> = {
  vbak: parseSchema(
    "mandt STRING, vbeln STRING, kunnr STRING, gbstk STRING, event_ts TIMESTAMP, head STRUCT<a: INT, b: STRUCT<c: INT>>",
  ),
  vbap: parseSchema(
    "mandt STRING, vbeln STRING, posnr STRING, matnr STRING, netwr DECIMAL(15,2), event_ts TIMESTAMP, tags ARRAY<STRING>, parts ARRAY<STRUCT<id: INT, qty: INT>>",
  ),
  makt: parseSchema("matnr STRING, spras STRING, maktx STRING"),
};

/**
 * Each column's sources as `table.column`, with a letter in front that tells how: `=` copied, `f` computed, `Σ`
 * aggregated; and under `WHERE` the columns that decide.
 */
export function lineageOf(text: string): Record<string, string> {
  const compiled = compile(text);
  const { columns, influences } = compiled.lineage ?? { columns: [], influences: [] };
  const names = new Map(compiled.reads.map((r) => [r.id, r.kind === "table" ? r.name.join(".") : "files"]));
  const show = ({ relation, column, fields }: SourceColumn) =>
    [names.get(relation), column, ...(fields ?? [])].join(".");
  const mark = { copied: "=", computed: "f", aggregated: "Σ" };
  const list = (sources: readonly ColumnSource[]) =>
    sources
      .map((s) => `${mark[s.how]}${show(s)}`)
      .sort()
      .join(" ");
  return Object.fromEntries([
    ...compiled.schema.map((f, i) => [f.name, list(columns[i] ?? [])]),
    ["WHERE", influences.map(show).sort().join(" ")],
  ]);
}

export function compile(text: string): CompiledQuery {
  const parsed = parseQuery(sqlText(text));
  const schemas = new Map(
    parsed.relations.flatMap((r) => (r.kind === "table" ? [[r.id, TABLES[r.name.at(-1) ?? ""] ?? []] as const] : [])),
  );
  return compileParsed(parsed, schemas);
}
