import type { ParquetReader } from "../files/parquet.js";
import type { Action } from "../log/actions.js";
import { parseActions, parseLines } from "../log/commit-file.js";
import { formatJson, isObject, type JsonObject } from "../log/json.js";
import { readText } from "../log/log.js";
import { type CheckpointFiles, logFolder } from "../log/log-files.js";
import { decodePath } from "../log/path.js";
import type { Store } from "../store/store.js";

/**
 * What a snapshot takes from a checkpoint. The tombstones (`remove`), most of many checkpoints, matter to the clean-up
 * of files only.
 */
const COLUMNS = ["protocol", "metaData", "txn", "domainMetadata", "add", "sidecar"];

/**
 * The actions of a checkpoint, classic, multi-part or V2: its top-level files, then their sidecars. Source: the Delta
 * protocol, "Checkpoints" and "V2 Spec".
 *
 * Rejects with a plain Error when a file is missing or damaged, or when the checkpoint states no protocol or metadata.
 */
export async function readCheckpoint(
  store: Store,
  table: string,
  { names }: CheckpointFiles,
  parquet: ParquetReader,
): Promise<Action[]> {
  const read = async (path: string): Promise<readonly JsonObject[]> =>
    path.endsWith(".json") ? parseLines(await readText(store, path)) : parquet(await store.read(path), COLUMNS);
  const top = (await Promise.all(names.map((name) => read(`${logFolder(table)}/${name}`)))).flat();
  const sidecars = top.flatMap((row) => (isObject(row["sidecar"]) ? [sidecarPath(table, row["sidecar"])] : []));
  const files = (await Promise.all(sidecars.map(read))).flat();

  const actions = [...top, ...files].flatMap((row) => parseActions(withStats(row)));
  for (const kind of ["protocol", "metaData"])
    if (!actions.some((action) => kind in action)) throw new Error(`it holds no ${kind} action`);
  return actions;
}

/** A sidecar is named by its file name, or by an absolute URI. */
function sidecarPath(table: string, { path }: JsonObject): string {
  if (typeof path !== "string") throw new Error("a sidecar has no path");
  const decoded = decodePath(path);
  return decoded.includes("/") ? decoded : `${logFolder(table)}/_sidecars/${decoded}`;
}

/**
 * Statistics stand in a checkpoint as JSON text, as a struct, or both. Of a struct alone the counts are taken: the
 * reader of Parquet may have rounded the bounds, and no bound is better than a narrow one.
 */
function withStats(row: JsonObject): JsonObject {
  const add = row["add"];
  if (!isObject(add) || typeof add["stats"] === "string" || !isObject(add["stats_parsed"])) return row;
  const { numRecords, nullCount, tightBounds } = add["stats_parsed"];
  return { ...row, add: { ...add, stats: formatJson({ numRecords, nullCount, tightBounds }) } };
}
