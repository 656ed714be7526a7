import { quoteIdentifier } from "../../model/name.js";
import { ROW_SOURCES, SOURCE_TYPES, sourceColumn } from "../../model/quarantine.js";
import type { SparkPart } from "../../model/query.js";
import type { BoundQuery } from "../engine.js";
import { type SourceTexts, sourcesAt } from "../rules/source-columns.js";
import { typeText } from "./spark-sql.js";

type Room = Extract<SparkPart, { readonly room: string }>;

/** Whether something is known of where the rows of a query come from: each is one row of files, or of a table that tells. */
export function tracesRows(bound: BoundQuery): boolean {
  const room = roomOf(bound);
  return room !== undefined && Object.keys(knownSources(bound, room)).length > 0;
}

/** Select items of `sourceColumn`, within the query. */
export function sourceItems(bound: BoundQuery, room: Room): string {
  const known = knownSources(bound, room);
  return ROW_SOURCES.map((source) => {
    const value = known[source] ?? `CAST(NULL AS ${typeText(SOURCE_TYPES[source])})`;
    return `, ${value} AS ${sourceColumn(source)}`;
  }).join("");
}

function roomOf({ query }: BoundQuery): Room | undefined {
  return query.spark?.find((part): part is Room => typeof part === "object" && "room" in part);
}

/** What is known, as Spark's text within the query. */
function knownSources({ inputs }: BoundQuery, { room, alias }: Room): SourceTexts {
  const column = (...path: readonly string[]) => [alias, ...path].map(quoteIdentifier).join(".");
  return sourcesAt(inputs.get(room), { column, rowNumber: `${column("_metadata")}.row_number` }, tracesRows);
}
