import { quoteIdentifier } from "../../model/name.js";
import { ROW_SOURCES, SOURCE_TYPES, type SourceColumns, sourceColumn } from "../../model/quarantine.js";
import type { SparkPart } from "../../model/query.js";
import type { BoundInput, BoundQuery } from "../engine.js";
import { typeText } from "./spark-sql.js";

type Room = Extract<SparkPart, { readonly room: string }>;

/** Whether something is known of where the rows of a query come from: each is one row of files, or of a table that tells. */
export function tracesRows(bound: BoundQuery): boolean {
  const room = roomOf(bound);
  return room !== undefined && Object.keys(sourcesAt(bound, room)).length > 0;
}

/** Select items of `sourceColumn`, within the query. */
export function sourceItems(bound: BoundQuery, room: Room): string {
  const known = sourcesAt(bound, room);
  return ROW_SOURCES.map((source) => {
    const value = known[source] ?? `CAST(NULL AS ${typeText(SOURCE_TYPES[source])})`;
    return `, ${value} AS ${sourceColumn(source)}`;
  }).join("");
}

function roomOf({ query }: BoundQuery): Room | undefined {
  return query.spark?.find((part): part is Room => typeof part === "object" && "room" in part);
}

/** What is known, as SQL within the query. */
function sourcesAt({ inputs }: BoundQuery, { room, alias }: Room): SourceColumns {
  const input = inputs.get(room);
  if (input === undefined) return {};
  const column = (name: string) => `${quoteIdentifier(alias)}.${quoteIdentifier(name)}`;
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
  const raw = columns
    .filter(({ name }) => [read.corruptRecordColumn, read.rescuedDataColumn].includes(name))
    .map(({ name }) => column(name));
  return {
    file: `${column("_metadata")}.file_path`,
    row: `${column("_metadata")}.row_number`,
    ...(raw.length === 0 ? {} : { record: `coalesce(${raw.join(", ")})` }),
  };
}
