import { basename, join } from "node:path";
import type { Dataset, Definitions, Flow, QueryFlow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName, nameKey, quoteIdentifier, quoteTableName, type TableName } from "../model/name.js";
import { positionAt, type SqlText } from "../model/position.js";
import { RESET_PROPERTY } from "../model/table.js";
import { concat } from "../sql/locate.js";
import { quoteString } from "../sql/quote.js";
import { ours } from "./change-query.js";
import { findByName, suggestName } from "./find-by-name.js";
import { folderName, type Places, partOf } from "./places.js";

/** A streaming table with its history outside the stream. */
export type BackfilledTable = Dataset & { readonly backfill: NonNullable<Dataset["backfill"]> };

/** A part of the history in a table of its own, from which the load takes it. */
export interface StagedChunk {
  /** The value that all its rows have in the column of the chunks. */
  readonly value: string;
  readonly columns: readonly string[];
}

export function isBackfilled(dataset: Dataset): dataset is BackfilledTable {
  return dataset.backfill !== undefined;
}

/**
 * The table that a name on the command line means.
 *
 * @throws IngotError NO_BACKFILL
 */
export function findBackfilled(text: string, { datasets }: Definitions, places: Places): BackfilledTable {
  const dataset = findByName(text, datasets, ({ name }) => name, places);
  if (dataset !== undefined && isBackfilled(dataset)) return dataset;
  const names = datasets.filter(isBackfilled).map(({ name }) => name);
  const declare = "Declare it: backfill: { source, chunkBy }.";
  throw new IngotError(
    "NO_BACKFILL",
    dataset === undefined
      ? `No table of the project is called ${text}`
      : `${formatName(dataset.name)} declares no backfill: nobody says where its history is`,
    {
      object: text,
      ...(dataset === undefined ? {} : { at: dataset.at }),
      hint: names.length === 0 ? declare : suggestName(text, names, places, `${declare} There are`),
    },
  );
}

/** Folder of the chunks of a table: each a Delta table of its own. */
function chunksFolder({ name }: Dataset, { storage }: Pick<Places, "storage">): string {
  return join(storage, "_backfill", ...[name.catalog, name.schema, name.table].map(folderName));
}

/** Where a chunk lies. */
export function chunkFolder(dataset: Dataset, value: string, places: Pick<Places, "storage">): string {
  return join(chunksFolder(dataset, places), folderName(value));
}

/** Whether a table's folder is that of a chunk of any backfill. */
export function isChunkFolder(location: string, { storage }: Pick<Places, "storage">): boolean {
  return location.startsWith(join(storage, "_backfill", "/"));
}

/** The chunk that lies in a folder; undefined for one that is none of the table's. */
export function chunkIn(location: string, dataset: Dataset, places: Pick<Places, "storage">): string | undefined {
  return location === join(chunksFolder(dataset, places), basename(location)) ? partOf(basename(location)) : undefined;
}

export function chunkName({ name }: Dataset, value: string): TableName {
  return { ...name, table: `${name.table} backfill ${value}` };
}

/** The flow that loads chunks into their table; its name and target, by which its checkpoint is found, are those over any chunks. */
export function loadOf(dataset: BackfilledTable, chunks: readonly StagedChunk[], flows: readonly Flow[]): QueryFlow {
  const at = positionAt(dataset.backfill.source, 0);
  const columns = new Map(chunks.flatMap((chunk) => chunk.columns.map((name) => [name.toLowerCase(), name])));
  const reads = chunks.map((chunk) => {
    const own = new Set(chunk.columns.map((name) => name.toLowerCase()));
    // A union goes by place, and a chunk that was staged earlier may have other columns.
    const list = [...columns].map(([key, name]) => `${own.has(key) ? "" : "NULL AS "}${quoteIdentifier(name)}`);
    return `SELECT ${list.join(", ")} FROM STREAM ${quoteTableName(chunkName(dataset, chunk.value))}`;
  });
  return {
    kind: "query",
    name: `${dataset.name.table}_backfill`,
    target: dataset.name,
    at,
    defaults: defaultsOf(dataset, flows),
    query: ours(reads.join(" UNION ALL "), at),
  };
}

/** Definitions with the load of a table over chunks, those that are no datasets of them as tables that are there. */
export function withLoad(
  definitions: Definitions,
  dataset: BackfilledTable,
  chunks: readonly StagedChunk[],
  places: Pick<Places, "storage">,
): Definitions {
  const declared = new Set(definitions.datasets.map(({ name }) => nameKey(name)));
  const others = chunks.filter(({ value }) => !declared.has(nameKey(chunkName(dataset, value))));
  const externals = others.map(({ value }) => ({
    name: chunkName(dataset, value),
    path: chunkFolder(dataset, value, places),
    at: dataset.at,
  }));
  return {
    ...definitions,
    flows: [...definitions.flows, loadOf(dataset, chunks, definitions.flows)],
    externals: [...definitions.externals, ...externals],
  };
}

/** The query that counts the rows of the source that are in none of the chunks: by value, most first, with their `total`. */
export function countElsewhere({ backfill: { source, chunkBy } }: BackfilledTable, values: readonly string[]): SqlText {
  const at = positionAt(source, 0);
  const column = quoteIdentifier(chunkBy);
  return concat([
    ours(`SELECT value, rows, sum(rows) OVER () AS total FROM (SELECT ${column} AS value, count(*) AS rows FROM `, at),
    source,
    ours(` WHERE NOT coalesce(${column} IN (${values.map(quoteString).join(", ")}), false) GROUP BY ${column})`, at),
    ours(" ORDER BY rows DESC, value", at),
  ]);
}

/** Definitions with a table for each chunk, filled once from the source. */
export function withChunks(
  definitions: Definitions,
  dataset: BackfilledTable,
  values: readonly string[],
  places: Pick<Places, "storage">,
): Definitions {
  const { source, chunkBy } = dataset.backfill;
  const at = positionAt(source, 0);
  const reset = dataset.properties[RESET_PROPERTY];
  const datasets = values.map(
    (value): Dataset => ({
      kind: "streaming-table",
      name: chunkName(dataset, value),
      at: dataset.at,
      expectations: [],
      // A protected table must not read from one that is not.
      properties: reset === undefined ? {} : { [RESET_PROPERTY]: reset },
      location: chunkFolder(dataset, value, places),
    }),
  );
  const flows = values.map(
    (value): Flow => ({
      kind: "query",
      name: chunkName(dataset, value).table,
      target: chunkName(dataset, value),
      at,
      defaults: defaultsOf(dataset, definitions.flows),
      query: concat([
        ours("SELECT * FROM ", at),
        source,
        ours(` WHERE ${quoteIdentifier(chunkBy)} = ${quoteString(value)}`, at),
      ]),
      once: true,
    }),
  );
  return {
    ...definitions,
    datasets: [...definitions.datasets, ...datasets],
    flows: [...definitions.flows, ...flows],
  };
}

/** The source of a backfill is named where the table is filled, so names mean the same. */
export function defaultsOf({ name }: Dataset, flows: readonly Flow[]): Flow["defaults"] {
  return flows.find(({ target }) => nameKey(target) === nameKey(name))?.defaults ?? name;
}
