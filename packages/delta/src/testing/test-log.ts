import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { commitPath, logFolder } from "../log/log-files.js";
import { formatSchema, type StructType } from "../schema/schema.js";
import { readSnapshot, type Snapshot } from "../snapshot/snapshot.js";
import { localStore } from "../store/local-store.js";

/** A folder of the test's own, gone when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "delta-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const ID_SCHEMA: StructType = {
  kind: "struct",
  fields: [{ name: "id", type: { kind: "long" }, nullable: true, metadata: {} }],
};

export const PROTOCOL = { protocol: { minReaderVersion: 1, minWriterVersion: 2 } };

/** A metaData action; fields may be replaced. */
export function metaData(fields: object = {}): object {
  return {
    metaData: {
      id: "5fba94ed-9794-4965-ba6e-6ee3c0d22af9",
      format: { provider: "parquet", options: {} },
      schemaString: formatSchema(ID_SCHEMA),
      partitionColumns: [],
      configuration: {},
      ...fields,
    },
  };
}

/** An add action; fields may be replaced. */
export function add(path: string, fields: object = {}): object {
  return { add: { path, partitionValues: {}, size: 1, modificationTime: 1, dataChange: true, ...fields } };
}

export function remove(path: string, fields: object = {}): object {
  return { remove: { path, deletionTimestamp: 1, dataChange: true, ...fields } };
}

/** Writes a log by hand, one list of actions a commit. A text is written as it stands. */
export async function writeLog(table: string, commits: readonly (string | readonly object[])[]): Promise<void> {
  await mkdir(logFolder(table), { recursive: true });
  for (const [version, commit] of commits.entries()) {
    const text = typeof commit === "string" ? commit : commit.map((action) => `${JSON.stringify(action)}\n`).join("");
    await writeFile(commitPath(table, BigInt(version)), text);
  }
}

/** Sets the time of a commit file, milliseconds since the epoch. */
export async function setTime(table: string, version: bigint, time: number): Promise<void> {
  await utimes(commitPath(table, version), time / 1000, time / 1000);
}

/** The table's state, which must be there. */
export async function snapshotOf(table: string): Promise<Snapshot> {
  const snapshot = await readSnapshot(localStore, table);
  if (snapshot === undefined) throw new Error(`${table} has no log`);
  return snapshot;
}

export function pathsOf(snapshot: Snapshot): string[] {
  return snapshot.files.map((file) => file.path).sort();
}
