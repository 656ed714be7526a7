import { type AddFile, readChanges, readDeletionVectors, readSnapshot, type Snapshot, type Store } from "@ingot/delta";
import type { BoundInput, BoundQuery } from "../engine.js";
import { csvRelation } from "./csv.js";
import { quoteName } from "./quote.js";
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
    case "snapshot":
      return scan(store, await snapshotAt(store, input.location, input.version));
    case "appended": {
      const snapshot = await snapshotAt(store, input.location, input.to);
      if (input.after === undefined) return scan(store, snapshot);
      if (input.after >= input.to) return scan(store, snapshot, []);
      const added: AddFile[] = [];
      for await (const change of readChanges(store, snapshot, input.after + 1n)) {
        added.push(...change.added.filter((file) => file.dataChange));
      }
      return scan(store, snapshot, added);
    }
  }
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
