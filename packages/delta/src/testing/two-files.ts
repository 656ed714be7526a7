import type { Change, NewFile } from "../commit/change.js";
import { commit, createTable } from "../commit/transaction.js";
import type { DeletionVector } from "../log/actions.js";
import { parseJson } from "../log/json.js";
import { commitPath } from "../log/log-files.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "./memory-store.js";
import { ID_SCHEMA } from "./test-log.js";
import { stateOf } from "./test-table.js";

const T = "/t";
export const stats = (numRecords: number): string => `{"numRecords":${numRecords}}`;
export const file = (path: string, more: Partial<NewFile> = {}): NewFile => ({
  path,
  size: 10,
  stats: stats(5),
  ...more,
});
export const vector = (name: string, cardinality: bigint): DeletionVector => ({
  storageType: "u",
  pathOrInlineDv: name,
  offset: 1,
  sizeInBytes: 34,
  cardinality,
});

/** A table at version 1 with the files a and b of five rows each; the clock stands. */
export async function newTable(configuration: Record<string, string> = {}, now = 1000) {
  const store = memoryStore(() => now);
  const clock = { now: () => now };
  await createTable(store, T, { schema: ID_SCHEMA, configuration }, { operation: "CREATE TABLE" }, clock);
  const append = { operation: "WRITE", add: [file("a"), file("b")], isBlindAppend: true };
  await commit(store, await snapshotOf(store), append, clock);
  return { store, commitNow: async (change: Change) => commit(store, await snapshotOf(store), change, clock) };
}

export function snapshotOf(store: Store): Promise<Snapshot> {
  return stateOf(store, T);
}

/** biome-ignore lint/suspicious/noExplicitAny: the log as another reader sees it */
export async function linesOf(store: Store, version: bigint): Promise<any[]> {
  const text = new TextDecoder().decode(await store.read(commitPath(T, version)));
  return text.trimEnd().split("\n").map(parseJson);
}

export const fileNamed = async (store: Store, path: string) => {
  const found = (await snapshotOf(store)).files.find((candidate) => candidate.path === path);
  if (found === undefined) throw new Error(`no file ${path}`);
  return found;
};
