import {
  ROW_SOURCES,
  type RowSource,
  SOURCE_TYPES,
  type SourceColumns,
  sourceColumn,
} from "../../../model/quarantine.js";
import { duckdbType, quoteName } from "../../../sql/lower/lower-text.js";
import type { BoundInput, BoundQuery } from "../../engine.js";
import { ROW_NUMBER } from "../files/file-metadata.js";

/** Whether something is known of where the rows of a query come from: each is one row of files, or of a table that tells. */
export function tracesRows(bound: BoundQuery): boolean {
  return bound.query.room !== undefined && Object.keys(sourcesAt(bound)).length > 0;
}

/** The text of a query that traces its rows, with the columns of `sourceColumn` behind its own. */
export function tracedText(bound: BoundQuery): string {
  const { duckdb, room } = bound.query;
  if (room === undefined) throw new Error("unreachable: a query that traces its rows has room");
  const known = sourcesAt(bound);
  const items = ROW_SOURCES.map((source) => `${known[source] ?? nullOf(source)} AS ${quoteName(sourceColumn(source))}`);
  return `${duckdb.slice(0, room.at)}, ${items.join(", ")}${duckdb.slice(room.at)}`;
}

export function nullOf(source: RowSource): string {
  return `NULL::${duckdbType(SOURCE_TYPES[source])}`;
}

/** What is known, as DuckDB's text within the query. */
function sourcesAt({ query: { room }, inputs }: BoundQuery): SourceColumns {
  const input = room === undefined ? undefined : inputs.get(room.relation);
  if (room === undefined || input === undefined) return {};
  const column = (name: string) => `${quoteName(room.alias)}.${quoteName(name)}`;
  if (input.kind === "files") return fileSources(input, column);
  const columns = input.kind === "view" ? viewSources(input.view) : (input.sources ?? {});
  return Object.fromEntries(Object.entries(columns).map(([source, name]) => [source, column(name)]));
}

function viewSources(view: BoundQuery): SourceColumns {
  return tracesRows(view) ? Object.fromEntries(ROW_SOURCES.map((source) => [source, sourceColumn(source)])) : {};
}

function fileSources(
  { read, columns }: BoundInput & { readonly kind: "files" },
  column: (name: string) => string,
): SourceColumns {
  // A column of the files of this name hides what is known of them.
  if (columns.some(({ name }) => name.toLowerCase() === "_metadata")) return {};
  const raw = [read.corruptRecordColumn, read.rescuedDataColumn].flatMap((name) => {
    const found = columns.find((field) => field.name.toLowerCase() === name?.toLowerCase());
    return found === undefined ? [] : [column(found.name)];
  });
  return {
    file: `${column("_metadata")}.file_path`,
    row: column(ROW_NUMBER),
    ...(raw.length === 0 ? {} : { record: `coalesce(${raw.join(", ")})` }),
  };
}
