import { crc32 } from "node:zlib";
import { DeltaError, reasonOf } from "../error.js";
import type { DeletionVector } from "../log/actions.js";
import { decodePath, resolvePath } from "../log/path.js";
import type { Store } from "../store/store.js";
import { parseRows, type Rows } from "./roaring-bitmap.js";
import { decodeZ85 } from "./z85.js";

/** The characters of a UUID in base 85. */
const UUID_LENGTH = 20;
/** Of a file of deletion vectors: its first byte. */
export const FORMAT_VERSION = 1;

/**
 * The rows that deletion vectors mark as deleted, by their positions in the data file (from 0), one set for each
 * vector. A file that holds several of them is read once. Source: the Delta protocol, "Deletion Vectors".
 *
 * @throws DeltaError DELTA_TABLE_UNREADABLE when a file is missing, a checksum or a count does not match
 */
export async function readDeletionVectors(
  store: Store,
  table: string,
  vectors: readonly DeletionVector[],
): Promise<Rows[]> {
  const files = new Map<string, Promise<Uint8Array>>();
  const readOnce = (path: string): Promise<Uint8Array> => {
    const content = files.get(path) ?? store.read(path);
    files.set(path, content);
    return content;
  };
  return Promise.all(vectors.map((vector) => readDeletionVector(table, vector, readOnce)));
}

async function readDeletionVector(
  table: string,
  vector: DeletionVector,
  read: (path: string) => Promise<Uint8Array>,
): Promise<Rows> {
  let path: string | undefined;
  try {
    path = vector.storageType === "i" ? undefined : vectorPath(table, vector);
    const bytes =
      path === undefined
        ? decodeZ85(vector.pathOrInlineDv).subarray(0, vector.sizeInBytes)
        : vectorWithin(await read(path), vector);
    const rows = parseRows(bytes, Number(vector.cardinality));
    if (BigInt(rows.length) !== vector.cardinality)
      throw new Error(`it holds ${rows.length} rows, and the log states ${vector.cardinality}`);
    return rows;
  } catch (cause) {
    const which = path === undefined ? "An inline deletion vector" : `The deletion vector in ${path}`;
    throw new DeltaError("DELTA_TABLE_UNREADABLE", `${which} of ${table} cannot be read: ${reasonOf(cause)}.`, {
      table,
      ...(path === undefined ? {} : { path }),
      hint: "Without it nobody knows which rows are deleted: restore the file from a backup.",
      cause,
    });
  }
}

/** Where the file lies: for `u` a name made of a UUID, in a folder of the table whose name stands before it. */
export function vectorPath(table: string, { storageType, pathOrInlineDv }: DeletionVector): string {
  if (storageType === "p") return decodePath(pathOrInlineDv);
  if (storageType !== "u") throw new Error(`the storage type ${storageType} is unknown`);
  const hex = Buffer.from(decodeZ85(pathOrInlineDv.slice(-UUID_LENGTH))).toString("hex");
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const prefix = pathOrInlineDv.slice(0, -UUID_LENGTH);
  return resolvePath(table, `${prefix === "" ? "" : `${prefix}/`}deletion_vector_${uuid}.bin`);
}

/** Size, bytes and checksum of one vector; the first begins behind the byte with the version. */
function vectorWithin(file: Uint8Array, { offset = 1, sizeInBytes }: DeletionVector): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint8(0) !== FORMAT_VERSION) throw new Error(`the file has the unknown format ${view.getUint8(0)}`);
  const size = view.getUint32(offset);
  if (size !== sizeInBytes) throw new Error(`the file states ${size} bytes for it, and the log ${sizeInBytes}`);
  const start = offset + 4;
  const checksum = view.getUint32(start + size);
  const bytes = file.subarray(start, start + size);
  if (crc32(bytes) !== checksum) throw new Error("its checksum does not match");
  return bytes;
}
