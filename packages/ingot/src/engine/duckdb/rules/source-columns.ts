import { ROW_SOURCES, type RowSource, SOURCE_TYPES, sourceColumn } from "../../../model/quarantine.js";
import { duckdbType, quoteName } from "../../../sql/lower/lower-text.js";
import type { BoundQuery } from "../../engine.js";
import { type SourceTexts, sourcesAt } from "../../rules/source-columns.js";
import { ROW_NUMBER } from "../files/file-metadata.js";

/** Whether something is known of where the rows of a query come from: each is one row of files, or of a table that tells. */
export function tracesRows(bound: BoundQuery): boolean {
  return bound.query.room !== undefined && Object.keys(knownSources(bound)).length > 0;
}

/** The text of a query that traces its rows, with the columns of `sourceColumn` behind its own. */
export function tracedText(bound: BoundQuery): string {
  const { duckdb, room } = bound.query;
  if (room === undefined) throw new Error("unreachable: a query that traces its rows has room");
  const known = knownSources(bound);
  const items = ROW_SOURCES.map((source) => `${known[source] ?? nullOf(source)} AS ${quoteName(sourceColumn(source))}`);
  return `${duckdb.slice(0, room.at)}, ${items.join(", ")}${duckdb.slice(room.at)}`;
}

export function nullOf(source: RowSource): string {
  return `NULL::${duckdbType(SOURCE_TYPES[source])}`;
}

/** What is known, as DuckDB's text within the query. */
function knownSources({ query: { room }, inputs }: BoundQuery): SourceTexts {
  if (room === undefined) return {};
  const column = (...path: readonly string[]) => [room.alias, ...path].map(quoteName).join(".");
  return sourcesAt(inputs.get(room.relation), { column, rowNumber: column(ROW_NUMBER) }, tracesRows);
}
