import { randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import type { DeletionVector } from "../log/actions.js";
import { resolvePath } from "../log/path.js";
import type { Store } from "../store/store.js";
import { FORMAT_VERSION } from "./deletion-vector.js";
import { formatRows, type Rows } from "./roaring-bitmap.js";
import { encodeZ85 } from "./z85.js";

/** Of the size before a vector, and of the checksum behind it. */
const WORD = 4;

/**
 * Writes sets of deleted rows into one new file of the table and gives a deletion vector for each, in their order.
 * The file belongs to no version until a commit names the vectors. Source: the Delta protocol, "Deletion Vector Files".
 */
export async function writeDeletionVectors(
  store: Store,
  table: string,
  sets: readonly Rows[],
): Promise<DeletionVector[]> {
  if (sets.length === 0) return [];
  const uuid = randomUUID();
  const pathOrInlineDv = encodeZ85(Buffer.from(uuid.replaceAll("-", ""), "hex"));
  const bitmaps = sets.map(formatRows);
  const file = new Uint8Array(bitmaps.reduce((size, bitmap) => size + bitmap.length + 2 * WORD, 1));
  const view = new DataView(file.buffer);
  view.setUint8(0, FORMAT_VERSION);
  let offset = 1;
  const vectors = bitmaps.map((bitmap, i) => {
    view.setUint32(offset, bitmap.length);
    file.set(bitmap, offset + WORD);
    view.setUint32(offset + WORD + bitmap.length, crc32(bitmap));
    const cardinality = BigInt(sets[i]?.length ?? 0);
    const vector = { storageType: "u", pathOrInlineDv, offset, sizeInBytes: bitmap.length, cardinality };
    offset += bitmap.length + 2 * WORD;
    return vector;
  });
  const path = resolvePath(table, `deletion_vector_${uuid}.bin`);
  if (await store.putIfAbsent(path, file)) return vectors;
  throw new Error(`${path} is there already`);
}
