import { crc32 } from "node:zlib";
import { type At, DeltaError, reasonOf } from "../error.js";
import type { DeletionVector } from "../log/actions.js";
import { decodePath, resolvePath } from "../log/path.js";
import type { Store } from "../store/store.js";
import { parseRows, type Rows } from "./roaring-bitmap.js";
import { numRecords } from "./stats.js";
import { decodeZ85 } from "./z85.js";

/** The characters of a UUID in base 85. */
const UUID_LENGTH = 20;
/** Of a file of deletion vectors: its first byte. */
export const FORMAT_VERSION = 1;

/** What must be known of a data file to read which of its rows are deleted; an `add` or `remove` action is one. */
export interface MaskableFile {
  readonly path: string;
  readonly stats?: string | undefined;
  readonly deletionVector?: DeletionVector | undefined;
}

/**
 * The rows that deletion vectors mark as deleted, by their positions in the data file (from 0), one set for each file;
 * undefined for one without a vector. A file that holds several vectors is read once. Source: the Delta protocol,
 * "Deletion Vectors".
 *
 * @throws DeltaError DELTA_TABLE_UNREADABLE when a file is missing, a checksum or a count does not match, or when rows
 * are named that the data file does not have by its statistics
 */
export async function readDeletionVectors(
  store: Store,
  at: At,
  files: readonly MaskableFile[],
): Promise<(Rows | undefined)[]> {
  const contents = new Map<string, Promise<Uint8Array>>();
  const readOnce = (path: string): Promise<Uint8Array> => {
    const content = contents.get(path) ?? store.read(path);
    contents.set(path, content);
    return content;
  };
  return Promise.all(
    files.map(async (file) => {
      const { deletionVector: vector } = file;
      return vector === undefined ? undefined : readDeletionVector(at, file, vector, readOnce);
    }),
  );
}

async function readDeletionVector(
  at: At,
  file: MaskableFile,
  vector: DeletionVector,
  read: (path: string) => Promise<Uint8Array>,
): Promise<Rows> {
  let path: string | undefined;
  try {
    const held = numRecords(file.stats);
    // Before room is made for them.
    if (held !== undefined && vector.cardinality > held)
      throw new Error(`the log states ${vector.cardinality} rows, and the data file holds ${held}`);
    path = vector.storageType === "i" ? undefined : vectorPath(at.table, vector);
    const bytes =
      path === undefined
        ? decodeZ85(vector.pathOrInlineDv).subarray(0, vector.sizeInBytes)
        : vectorWithin(await read(path), vector);
    const rows = parseRows(bytes, Number(vector.cardinality));
    if (BigInt(rows.length) !== vector.cardinality)
      throw new Error(`it holds ${rows.length} rows, and the log states ${vector.cardinality}`);
    const last = rows.at(-1);
    if (last !== undefined && held !== undefined && last >= held)
      throw new Error(`it names row ${last}, and the data file holds ${held} rows`);
    return rows;
  } catch (cause) {
    throw unreadableVector(at, file.path, path, cause);
  }
}

/**
 * The error of a deletion vector that cannot be right.
 *
 * @param dataFile as the log names it
 * @param path of the file that holds the vector; undefined where the log holds it, or where the vector fits and the data
 * file does not
 */
export function unreadableVector(
  { table, version }: At,
  dataFile: string,
  path: string | undefined,
  cause: unknown,
): DeltaError {
  const which = path === undefined ? `of ${dataFile}` : `in ${path}`;
  return new DeltaError(
    "DELTA_TABLE_UNREADABLE",
    `The deletion vector ${which} of ${table} cannot be read: ${reasonOf(cause)}.`,
    {
      table,
      version,
      path: path ?? dataFile,
      hint: "Without it nobody knows which rows are deleted: restore the file from a backup.",
      cause,
    },
  );
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
