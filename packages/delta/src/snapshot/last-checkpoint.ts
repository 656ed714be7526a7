import { createHash } from "node:crypto";
import { formatJson, isObject, type Json, type JsonObject, parseJson } from "../log/json.js";
import { readText } from "../log/log.js";
import { logFolder } from "../log/log-files.js";
import type { Store } from "../store/store.js";

/** What `_last_checkpoint` tells; sizes are bytes. */
export interface LastCheckpoint {
  readonly version: bigint;
  /** How many actions the checkpoint holds. */
  readonly size: number;
  readonly sizeInBytes: number;
  readonly numOfAddFiles: number;
  /** The top file of a checkpoint in V2, by its name. */
  readonly v2Checkpoint?: { readonly path: string; readonly sizeInBytes: number; readonly modificationTime: number };
}

/**
 * Points readers to a checkpoint, unless the file points to a newer one already. It is a hint where to begin, so a
 * failure is none of the checkpoint. Source: the Delta protocol, "Last Checkpoint File Schema".
 */
export async function noteLastCheckpoint(store: Store, table: string, hint: LastCheckpoint): Promise<void> {
  try {
    if ((await notedCheckpoint(store, table)) > hint.version) return;
    await store.put(pathOf(table), formatLastCheckpoint(hint));
  } catch {
    // The next checkpoint writes it again.
  }
}

/** The version of the checkpoint to which `_last_checkpoint` points, which may be stale; -1 without one, or a damaged one. */
export async function notedCheckpoint(store: Store, table: string): Promise<bigint> {
  try {
    const noted = parseJson(await readText(store, pathOf(table)));
    const version = isObject(noted) ? noted["version"] : undefined;
    return typeof version === "number" || typeof version === "bigint" ? BigInt(version) : -1n;
  } catch {
    return -1n;
  }
}

function pathOf(table: string): string {
  return `${logFolder(table)}/_last_checkpoint`;
}

export function formatLastCheckpoint(hint: LastCheckpoint): string {
  const { v2Checkpoint, ...rest } = hint;
  const fields: JsonObject = v2Checkpoint === undefined ? rest : { ...rest, v2Checkpoint };
  return formatJson({ ...fields, checksum: checksumOf(fields) });
}

/** MD5 of the canonical form of a JSON object. Source: the Delta protocol, "JSON checksum". */
export function checksumOf(fields: JsonObject): string {
  return createHash("md5").update(canonical(fields)).digest("hex");
}

function canonical(fields: JsonObject): string {
  const { checksum: _ignored, ...rest } = fields;
  const leaves = leavesOf(rest, []);
  return leaves
    .map(([path, value]) => [Buffer.from(path), `${path}=${value}`] as const)
    .sort(([a], [b]) => Buffer.compare(a, b))
    .map(([, pair]) => pair)
    .join(",");
}

function leavesOf(value: Json, path: readonly string[]): [string, string][] {
  if (isObject(value))
    return Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : leavesOf(item, [...path, encoded(key)]),
    );
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, String(index)]));
  return [[path.join("+"), typeof value === "string" ? encoded(value) : formatJson(value)]];
}

/** Every octet but letters, digits and `-._~` is escaped. */
function encoded(text: string): string {
  const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return `"${encodeURIComponent(text).replace(/[!'()*]/g, percent)}"`;
}
