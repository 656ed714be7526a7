import { type AddFile, readChanges, readDeletionVectors, readSnapshot, type Snapshot, type Store } from "@ingot/delta";
import type { BatchFile } from "../../model/batch.js";
import type { Field } from "../../model/data-type.js";
import { duckdbType, quoteName } from "../../sql/lower/lower-text.js";
import type { BoundInput, BoundQuery } from "../engine.js";
import { ROW_NUMBER } from "./files/file-metadata.js";
import { countDropped, filesRelation } from "./files/files-relation.js";
import type { LocatedFile } from "./files/located-file.js";
import type { TextCopies } from "./files/text-copies.js";
import { scanFiles } from "./scan.js";

/** Where the rows of relations lie. */
export interface RowSources {
  readonly store: Store;
  readonly copies: TextCopies;
  /** See `FileUse`. */
  readonly lineNumber: boolean;
}

/** The text of a query with its relations put before it: what DuckDB runs. */
export async function queryText(bound: BoundQuery, sources: RowSources): Promise<string> {
  const text = bound.query.duckdb;
  const relations: string[] = [];
  for (const { id } of bound.query.reads) {
    relations.push(`${quoteName(id)} AS (${await relationText(bound.inputs.get(id), text, sources)})`);
  }
  if (relations.length === 0) return text;
  const rest = /^WITH\s/.test(text) ? `, ${text.slice(5)}` : ` ${text}`;
  return `WITH ${relations.join(", ")}${rest}`;
}

/** @param query the text that reads the relation */
async function relationText(input: BoundInput | undefined, query: string, sources: RowSources): Promise<string> {
  if (input === undefined) throw new Error("unreachable: every relation is bound");
  const { store, copies } = sources;
  switch (input.kind) {
    case "view":
      return queryText(input.view, sources);
    case "files":
      return filesRelation(input.read, input.columns, await locate(input.files, copies), {
        rowNumber: query.includes(quoteName(ROW_NUMBER)),
        lineNumber: sources.lineNumber,
      });
    case "snapshot": {
      const snapshot = await snapshotAt(store, input.location, input.version);
      return withColumns(input.schema, snapshot, await scan(store, snapshot));
    }
    case "appended": {
      const snapshot = await snapshotAt(store, input.location, input.to);
      return withColumns(input.schema, snapshot, await scan(store, snapshot, await appended(input, snapshot, store)));
    }
  }
}

async function locate(files: readonly BatchFile[], copies: TextCopies): Promise<LocatedFile[]> {
  const located: LocatedFile[] = [];
  for (const file of files) located.push(await copies.locate(file));
  return located;
}

/** Queries that count the records which reads below with DROPMALFORMED drop, one a read. */
export async function dropCounts({ inputs }: BoundQuery, copies: TextCopies): Promise<string[]> {
  const counts: string[] = [];
  for (const input of inputs.values()) {
    if (input.kind === "view") counts.push(...(await dropCounts(input.view, copies)));
    if (input.kind !== "files" || input.read.mode !== "DROPMALFORMED" || input.files.length === 0) continue;
    const { read, columns } = input;
    // Of these every record fits.
    if (read.format === "parquet" || read.format === "binaryFile") continue;
    counts.push(countDropped(read, columns, await locate(input.files, copies)));
  }
  return counts;
}

/** The files that the versions after `after` brought; undefined for all. */
async function appended(
  { after, to }: { readonly after?: bigint; readonly to: bigint },
  snapshot: Snapshot,
  store: Store,
): Promise<AddFile[] | undefined> {
  if (after === undefined) return undefined;
  const added: AddFile[] = [];
  if (after >= to) return added;
  for await (const change of readChanges(store, snapshot, after + 1n)) {
    added.push(...change.added.filter((file) => file.dataChange));
  }
  return added;
}

/** A batch that is replayed reads an older version; columns that came after it are NULL there. */
function withColumns(schema: readonly Field[] | undefined, snapshot: Snapshot, rows: string): string {
  const present = new Set(snapshot.schema.fields.map((field) => field.name.toLowerCase()));
  if (schema === undefined || schema.every((field) => present.has(field.name.toLowerCase()))) return rows;
  const columns = schema.map(({ name, type }) =>
    present.has(name.toLowerCase()) ? quoteName(name) : `NULL::${duckdbType(type)} AS ${quoteName(name)}`,
  );
  return `SELECT ${columns.join(", ")} FROM (${rows})`;
}

/** The rows of some files of a table; without `files` of all. */
async function scan(store: Store, snapshot: Snapshot, files: readonly AddFile[] = snapshot.files): Promise<string> {
  const vectors = await readDeletionVectors(store, snapshot, files);
  const deleted = new Map(files.flatMap((file, i) => (vectors[i] === undefined ? [] : [[file, vectors[i]] as const])));
  return scanFiles(snapshot, files, deleted);
}

async function snapshotAt(store: Store, location: string, version: bigint): Promise<Snapshot> {
  const snapshot = await readSnapshot(store, location, { version });
  if (snapshot === undefined) throw new Error(`unreachable: ${location} was described before`);
  return snapshot;
}

/** Whether files are read below: they need functions of their own. */
export function readsFiles(bound: BoundQuery): boolean {
  return [...bound.inputs.values()].some((i) => i.kind === "files" || (i.kind === "view" && readsFiles(i.view)));
}
