import { type AddFile, readChanges, readDeletionVectors, readSnapshot, type Snapshot, type Store } from "@ingot/delta";
import type { Field } from "../../model/data-type.js";
import { duckdbType, quoteName } from "../../sql/lower/lower-text.js";
import type { BoundInput, BoundQuery } from "../engine.js";
import { csvRelation } from "./csv.js";
import { scanFiles } from "./scan.js";

/** The text of a query with its relations put before it: what DuckDB runs. */
export async function queryText(bound: BoundQuery, store: Store): Promise<string> {
  const relations = await Promise.all(
    bound.query.reads.map(async ({ id }) => `${quoteName(id)} AS (${await relationText(bound.inputs.get(id), store)})`),
  );
  const text = bound.query.duckdb;
  if (relations.length === 0) return text;
  const rest = /^WITH\s/.test(text) ? `, ${text.slice(5)}` : ` ${text}`;
  return `WITH ${relations.join(", ")}${rest}`;
}

async function relationText(input: BoundInput | undefined, store: Store): Promise<string> {
  if (input === undefined) throw new Error("unreachable: every relation is bound");
  switch (input.kind) {
    case "view":
      return queryText(input.view, store);
    case "files":
      return csvRelation(input.read, input.files);
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
  const marked = files.flatMap((file) =>
    file.deletionVector === undefined ? [] : [[file, file.deletionVector] as const],
  );
  const vectors = await readDeletionVectors(
    store,
    snapshot.table,
    marked.map(([, vector]) => vector),
  );
  const deleted = new Map(
    marked.flatMap(([file], i) => (vectors[i] === undefined ? [] : [[file, vectors[i]] as const])),
  );
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
