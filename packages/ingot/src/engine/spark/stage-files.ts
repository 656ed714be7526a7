import { randomUUID } from "node:crypto";
import { cp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { countRows, createTable, type NewFile, type PlannedDefinition, type Snapshot } from "@ingot/delta";
import { makeFolder, syncFile, syncFolder } from "../durable-files.js";
import { snapshotOf } from "../tables/table-state.js";
import type { Observed } from "./connect/observed-metrics.js";
import type { Relation } from "./connect/relations.js";
import { ENGINE_INFO } from "./define-table.js";
import type { SparkWork } from "./spark-work.js";

/** Data files that Spark wrote for a table, in its folder; no version has them yet. */
export interface StagedFiles {
  readonly files: readonly NewFile[];
  readonly rows: number;
  readonly bytes: number;
  /** Of `observe`, while the rows were written. */
  readonly observed: Observed;
}

/**
 * Has Spark write rows as data files of a table that is to be: into a table of the same definition, which lasts as long
 * as this call. So the rows can be counted in the pass that writes them, and refused; and one commit holds them, the
 * definition of the table and all batches that they come from.
 *
 * @param input rows with the columns of the table, in their order
 * @throws IngotError Spark's, such as DELTA_NOT_NULL_CONSTRAINT_VIOLATED; nothing is left then
 */
export async function stageFiles(
  { session, store, scratch, signal }: SparkWork,
  { definition, table: { table } }: PlannedDefinition,
  input: Relation,
): Promise<StagedFiles> {
  const folder = join(scratch, `rows-${randomUUID()}`);
  try {
    await createTable(store, folder, definition, { operation: "CREATE TABLE" }, { engineInfo: ENGINE_INFO });
    const observed = await session.write({ input, format: "delta", into: { path: folder }, mode: "append" }, signal);
    const written = await snapshotOf(store, folder);
    if (written === undefined) throw new Error(`unreachable: ${folder} was made`);
    const files = await moveFiles(written, table);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return { files, rows: Number(countRows(written)), bytes, observed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A commit must not name what can vanish: files and names are on disk when this returns. */
async function moveFiles({ table: from, files }: Snapshot, to: string): Promise<NewFile[]> {
  const folders = new Set(files.map(({ path }) => dirname(join(to, path))));
  for (const folder of folders) await makeFolder(folder);
  for (const { path } of files) {
    await move(join(from, path), join(to, path));
    await syncFile(join(to, path));
  }
  for (const folder of folders) await syncFolder(folder);
  return files.map(({ path, size, partitionValues, stats }) => ({
    path,
    size,
    partitionValues,
    ...(stats === undefined ? {} : { stats }),
  }));
}

/** A table may lie on another disk than the storage. */
async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    await cp(from, to);
  });
}
