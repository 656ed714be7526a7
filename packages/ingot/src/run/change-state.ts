import { join } from "node:path";
import type { Engine, WritePart } from "../engine/engine.js";
import { folderName } from "../graph/places.js";
import type { TableName } from "../model/name.js";
import { numberedNames } from "./atomic-file.js";

/**
 * Folder of the table that lies beside the target of change flows: `<storage>/_cdc/<catalog>/<schema>/<table>/<n>`, where
 * `n` rises with each full refresh. A full refresh that died goes on with the one that it has begun.
 */
export async function changeState(
  storage: string,
  { catalog, schema, table }: TableName,
  isReset: boolean,
  parts: readonly WritePart[],
  engine: Engine,
): Promise<string> {
  const base = join(storage, "_cdc", ...[catalog, schema, table].map(folderName));
  const newest = Math.max(...(await numberedNames(base, /^(\d+)$/)));
  if (newest === Number.NEGATIVE_INFINITY) return join(base, "0");
  const folder = join(base, String(newest));
  if (!isReset) return folder;
  const state = await engine.describe(folder);
  const isBegun = parts.some(({ transaction }) => state?.transactions.has(transaction.appId));
  return state === undefined || isBegun ? folder : join(base, String(newest + 1));
}
